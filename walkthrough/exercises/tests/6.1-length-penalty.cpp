// The library's penalty; the α of g is found by trying.
#include "decoding/beam_search.h"
#include "support/checks.h"

static const exercises::Exercise length_penalty_exercise(
    "6.1-length-penalty", [](exercises::Answers& answers) {
      double a = 0, b = 0;
      for (int i = 0; i < 4; ++i) a += std::log(0.5);
      for (int i = 0; i < 8; ++i) b += std::log(0.7);
      const auto score_a = [&](double alpha) { return a / attn::length_penalty(alpha, 4); };
      const auto score_b = [&](double alpha) { return b / attn::length_penalty(alpha, 8); };
      double alpha = 0;
      while (score_b(alpha) <= score_a(alpha)) alpha += 1e-5;
      const double best = -3.0 / attn::length_penalty(0.6, 20);
      answers.number("a", a, "4 · ln 0.5.");
      answers.number("b", b, "8 · ln 0.7.");
      answers.word("c", score_a(0) > score_b(0) ? "A" : "B", {"A", "B"},
                   "lp = 1: the larger ln P, which is the one nearer to 0.");
      answers.number("d", attn::length_penalty(0.6, 4), "((5 + 4)/6)^0.6.");
      answers.number("e", score_a(0.6), "a divided by d.");
      answers.number("f", score_b(0.6), "b divided by ((5 + 8)/6)^0.6.");
      answers.number("g", alpha, "Where a/lp(A) = b/lp(B): (13/9)^α = b/a.", {}, 0.03);
      answers.number("h", best, "ln P can stay as it is at best. Which length makes lp largest?",
                     {{-3.0 / attn::length_penalty(0.6, 5), "Longer outputs have a larger lp."},
                      {-3.0 / attn::length_penalty(0.6, 6), "Longer outputs have a larger lp."}});
      answers.word("i", best > score_a(0.6) ? "no" : "yes", {"yes", "no"}, "Compare h with e.");
    });
