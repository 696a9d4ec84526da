// The library's loss of given probabilities; the floor is found by going downhill.
#include "layers/cross_entropy.h"
#include "support/checks.h"

static const exercises::Exercise floor_exercise("5.4-floor", [](exercises::Answers& answers) {
  const int right = 0;
  // Least loss over logits, by gradient descent: it need not be known that p = q is best.
  const auto lowest = [&](Index V, double epsilon, Tensor& logits) {
    logits = Tensor::zeros({1, V});
    for (int step = 0; step < 4000; ++step) {
      Tensor d = logits;
      attn::cross_entropy_backward(d, &right, epsilon, 1);
      for (Index v = 0; v < V; ++v) logits[v] -= 2 * d[v];
    }
    return attn::cross_entropy_forward(logits, &right, epsilon);
  };
  Tensor logits;
  const attn::LossSums five = lowest(5, 0.1, logits);
  Tensor sure = Tensor::zeros({1, 5});
  for (Index v = 0; v < 5; ++v) sure[v] = std::log(v == right ? 0.9999 : 0.0001 / 4);
  const double of_sure = attn::cross_entropy_forward(sure, &right, 0.1).loss;
  answers.number("a", std::exp(-five.log_loss), "1 − ε and its share of ε.",
                 {{0.9, "The right token has its share of ε too."}});
  answers.number("b", five.loss, "−Σ q ln q over all five tokens.");
  answers.number("c", lowest(13, 0.1, logits).loss, "One q of 0.9 + 0.1/13 and twelve of 0.1/13.");
  answers.number("d", 0, "q is 1 for the right token; −1·ln 1.");
  answers.number("e", of_sure, "−0.92 ln 0.9999 − 4·0.02·ln(0.0001/4).");
  answers.word("f", of_sure > five.loss ? "worse" : "better", {"better", "worse"},
               "Compare e with b.");
  answers.number("g", five.perplexity(), "1/p of the right token.",
                 {{std::exp(five.loss), "Perplexity takes the right token only."}});
  answers.number("h", 0, "It is p − q.");
});
