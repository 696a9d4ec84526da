// Against a case worked out by hand, properties that every right answer has, and finite differences
// of a softmax written here as it is defined.
#include "support/checks.h"

static const exercises::Exercise softmax_backward_exercise(
    "3.2.1-softmax-backward", [](exercises::Checks& check) {
      using namespace exercises;
      check.claim("p = (¾, ¼), dp = (1, 0) gives da = (3/16, −3/16)");
      check.tensor(
          "dA", softmax_rows_backward(tensor_of({1, 2}, {0.75, 0.25}), tensor_of({1, 2}, {1, 0})),
          tensor_of({1, 2}, {0.1875, -0.1875}),
          "The mean of dp weighted by p is ¾·1 + ¼·0 = ¾; da₁ = ¾ (1 − ¾).");

      Tensor A = random_tensor({3, 5}, 1);
      const auto softmax_of = [](const Tensor& a) {
        Tensor P = Tensor::zeros(a.shape());
        for (Index i = 0; i < a.rows(); ++i) {
          double sum = 0;
          for (Index j = 0; j < a.cols(); ++j) sum += std::exp(a(i, j));
          for (Index j = 0; j < a.cols(); ++j) P(i, j) = std::exp(a(i, j)) / sum;
        }
        return P;
      };
      const Tensor dP = random_tensor({3, 5}, 2), P = softmax_of(A);
      const Tensor dA = softmax_rows_backward(P, dP);

      check.claim("each row of dA adds up to 0: a constant added to all scores changes no weight");
      for (Index i = 0; i < 3 && dA.shape() == P.shape(); ++i) {
        double sum = 0;
        for (Index j = 0; j < 5; ++j) sum += dA(i, j);
        check.that(std::fabs(sum) < 1e-9,
                   "row " + std::to_string(i) + " sums to " + show(sum) +
                       ", should be 0. Did you subtract the row's Σ p ⊙ dp, of that row alone?");
      }

      check.claim("dA agrees with finite differences");
      check.gradient(
          "dA", dA, A, [&] { return weighted_sum(dP, softmax_of(A)); },
          "Sums may be 0 and numbers wrong: is each element multiplied by its own p?");

      check.claim("a weight of 0, as behind a mask, gets a gradient of exactly 0");
      const Tensor masked = softmax_rows_backward(tensor_of({2, 3}, {0.5, 0, 0.5, 0, 0, 0}),
                                                  tensor_of({2, 3}, {1, 1000, 2, 3, 4, 5}));
      check.tensor("dA", masked, tensor_of({2, 3}, {-0.25, 0, 0.25, 0, 0, 0}),
                   "dp of a masked key must not matter, and all keys of a row may be masked.");
    });
