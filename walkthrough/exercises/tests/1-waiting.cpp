// Steps are those of the library's batches, or longest paths of dependent steps.
#include "lab/predecessors/time_steps.h"
#include "support/checks.h"

static const exercises::Exercise waiting_exercise("1-waiting", [](exercises::Answers& answers) {
  const auto steps = [](const Offsets& offsets) {
    return attn::time_steps(offsets, attn::Direction::forwards);
  };
  const attn::TimeSteps batch = steps({0, 6, 9, 14});
  answers.count("a", steps({0, 50}).steps(), "Token 50 needs the state of token 49.");
  answers.count("b", batch.steps(), "The longest sentence.",
                {{14, "Sentences do not need each other's states."}});
  answers.count("c", batch.rows(3), "Which sentences have a fourth token?");

  // Layer l at token t waits for layer l − 1 at t and for itself at t − 1.
  std::vector<Index> first(50), second(50);
  for (std::size_t t = 0; t < 50; ++t) {
    first[t] = (t > 0 ? first[t - 1] : 0) + 1;
    second[t] = std::max(t > 0 ? second[t - 1] : 0, first[t]) + 1;
  }
  answers.count("d", second.back(), "When can the second layer read its first token?",
                {{100, "The second layer need not wait for the first to end."}});
  answers.count("e", 2 * steps({0, 50}).steps(),
                "When is the first layer's output at token 1 complete?",
                {{51, "The backward state at token 1 is computed last."},
                 {200, "Both directions can be read at the same time."}});
  answers.count("f", 12, "The figure of the chapter.");
  answers.count("g", 12, "Self-attention and feed-forward, six times.",
                {{6, "A layer has two sub-layers."}});
  answers.count("h", 50, "A word that is written is read in the next step.",
                {{1, "In training. But here the tokens are not known yet."}});
  answers.number("i", std::pow(0.7, 20), "0.7 · 0.7 · …");
  const double f = std::pow(0.5, 1.0 / 50);
  answers.number("j", f, "f⁵⁰ = ½.", {}, 1e-3);
  answers.number("k", std::log(f / (1 - f)), "σ(b) = 1/(1 + e^(−b)). Solve for b.");
});
