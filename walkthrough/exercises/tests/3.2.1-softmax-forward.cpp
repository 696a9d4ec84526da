#include "support/checks.h"

static const exercises::Exercise softmax_forward_exercise(
    "3.2.1-softmax-forward", [](exercises::Checks& check) {
      using namespace exercises;
      const double ln3 = std::log(3.0);
      check.claim("(ln 3, 0) becomes (¾, ¼)");
      check.tensor("P", softmax_rows(tensor_of({1, 2}, {ln3, 0})), tensor_of({1, 2}, {0.75, 0.25}),
                   "e^(ln 3) = 3 and e⁰ = 1.");
      check.claim("two rows, each on its own");
      check.tensor("P", softmax_rows(tensor_of({2, 3}, {5, 5, 5, 0, ln3, 0})),
                   tensor_of({2, 3}, {1.0 / 3, 1.0 / 3, 1.0 / 3, 0.2, 0.6, 0.2}),
                   "Does each row have a sum of its own?");
      check.claim("a score of 1000 does no harm, and 1000 more on every score changes nothing");
      check.tensor(
          "P", softmax_rows(tensor_of({2, 2}, {-1000, 1000, 1000, 0})),
          tensor_of({2, 2}, {0, 1, 1, 0}),
          "e^1000 is ∞ for a double, and ∞/∞ is no number. Subtract the row's largest score.");
      check.tensor(
          "P", softmax_rows(tensor_of({1, 2}, {1000 + ln3, 1000})), tensor_of({1, 2}, {0.75, 0.25}),
          "e^1000 is ∞ for a double, and ∞/∞ is no number. Subtract the row's largest score.");
      check.claim("nor does 1000 less");
      check.tensor(
          "P", softmax_rows(tensor_of({1, 2}, {ln3 - 1000, -1000})),
          tensor_of({1, 2}, {0.75, 0.25}),
          "e^−1000 is 0 for a double, and 0/0 is no number. Does your largest begin at 0?");
      check.claim("10³⁰⁰ in one row and −10³⁰⁰ in the next");
      check.tensor("P", softmax_rows(tensor_of({2, 2}, {1e300, 1e300, -1e300, -1e300})),
                   tensor_of({2, 2}, {0.5, 0.5, 0.5, 0.5}),
                   "Does each row have a largest score of its own, which begins at −∞?");
      check.claim("a score of −∞ gets the weight 0");
      check.tensor("P",
                   softmax_rows(tensor_of(
                       {3, 3}, {-HUGE_VAL, ln3, 0, ln3, 0, -HUGE_VAL, -1e300, -HUGE_VAL, -1e300})),
                   tensor_of({3, 3}, {0, 0.75, 0.25, 0.75, 0.25, 0, 0.5, 0, 0.5}),
                   "e^−∞ = 0, wherever it stands and however small the others are.");
      check.claim("a row that is all −∞ becomes zeros");
      check.tensor("P", softmax_rows(tensor_of({2, 2}, {-HUGE_VAL, -HUGE_VAL, 0, 0})),
                   tensor_of({2, 2}, {0, 0, 0.5, 0.5}), "−∞ − (−∞) is not a number.");
    });
