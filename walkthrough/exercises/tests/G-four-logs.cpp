// What was wrong is what was done to the program before the runs were recorded.
#include "layers/cross_entropy.h"
#include "support/checks.h"

static const exercises::Exercise four_logs("G-four-logs", [](exercises::Answers& answers) {
  const std::vector<std::string> causes = {"healthy", "mask", "positions", "rate", "targets"};
  // The floor is the loss of the model whose p is q.
  Tensor logits = Tensor::zeros({1, 29});
  for (Index v = 0; v < 29; ++v) logits[v] = std::log(0.1 / 29 + (v == 0 ? 0.9 : 0));
  const int right = 0;
  const double floor = attn::cross_entropy_forward(logits, &right, 0.1).loss;
  double entropy = 0;
  const double end = 1 / 12.5, letter = (1 - end) / 26;
  for (int token = 0; token < 27; ++token) {
    const double p = token == 26 ? end : letter;
    entropy -= p * std::log(p);
  }
  answers.word("a", "healthy", causes, "Look at what it writes, and at the floor in e.");
  answers.word("b", "mask", causes,
               "Its loss is as low as A's. What could it see in training, but not while writing?");
  answers.word("c", "positions", causes,
               "The letters are right, nearly in order, but some repeat: what does it not know?");
  answers.word("d", "rate", causes,
               "Look at its loss at step 5: even an untrained model does better.");
  answers.number("e", floor, "The floor of label smoothing: −Σ q ln q with V = 29.",
                 {{0, "Not with label smoothing."}}, 0.01);
  answers.number("f", std::exp(entropy),
                 "e to −Σ p ln p, with 1/12.5 for <eos> and 0.92/26 per letter.",
                 {{27, "<eos> is not as frequent as a letter: it is 1 in 12.5."}}, 0.01);
  answers.word("g", "B", {"A", "B", "C", "D"}, "Whose loss is low, and whose output is wrong?");
});
