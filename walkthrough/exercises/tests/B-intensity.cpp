// Counted by running the loops that the questions describe, for small n, and scaled.
#include "support/checks.h"

static const exercises::Exercise b_intensity("B-intensity", [](exercises::Answers& answers) {
  const double n = 512, flops = 96, bytes = 24;
  double operations = 0;
  for (Index i = 0; i < 8; ++i) {
    for (Index j = 0; j < 8; ++j) {
      for (Index k = 0; k < 8; ++k) operations += 2;
    }
  }
  operations *= (n / 8) * (n / 8) * (n / 8);
  const double least = (2 + 1) * n * n * 4;
  answers.number("a", operations, "Each element of C takes n products and n additions.",
                 {{operations / 2, "A product and an addition count as two."}});
  answers.number("b", least, "Three matrices of n² numbers; a number has 4 bytes.",
                 {{least / 4, "Those are numbers, not bytes."}});
  answers.number("c", operations / least, "a divided by b.");
  answers.number("d", flops / bytes, "At intensity I, memory allows 24·I GFLOP/s.");
  // The smallest n whose intensity is enough.
  double enough = 1;
  while (2 * enough * enough * enough / (12 * enough * enough) < flops / bytes) ++enough;
  answers.number("e", enough, "The intensity is 2n³ / 12n² = n/6.");
  answers.number("f", bytes * operations / (n * n * n * 4),
                 "Each of n rows of C reads all n² numbers of B: how many FLOP per byte is that?",
                 {{0.5, "That is FLOP per byte; how many bytes come per second?"}});
  answers.number("g", bytes * (2 * n * n) / (4 * n * n), "2·512² FLOP for 4·512² bytes.",
                 {{0.5, "That is FLOP per byte; how many bytes come per second?"}});
  answers.number("h", flops / (bytes * 0.5), "R rows use each number of W R times.");
});
