// A case by hand that tells the paths apart, then finite differences.
#include "support/checks.h"

static const exercises::Exercise tied_gradient_exercise(
    "3.4-tied-gradient", [](exercises::Checks& check) {
      using namespace exercises;
      // E = 1, e_1, e_2 in one dimension padded to d = 4, so that √d = 2.
      check.claim("d = 4: a token that is only in the source gets 2 dh");
      const Tensor E = tensor_of({3, 4}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0});
      // One position: source token 0, target token 1, and dlogits = 1 for token 2. h = 2 (E_0 +
      // E_1).
      const Tensor dE = tied_gradient(tensor_of({1, 3}, {0, 0, 1}), {0}, {1}, E);
      const auto row = [&](Index i) {
        if (dE.shape() != E.shape()) return dE;
        return tensor_of({1, 4}, {dE(i, 0), dE(i, 1), dE(i, 2), dE(i, 3)});
      };
      check.tensor("dE's row of the source token", row(0), tensor_of({1, 4}, {0, 0, 2, 0}),
                   "dh = dlogits E = E_2 = (0, 0, 1, 0), and √4 = 2.");
      check.claim("so does a token that is only in the target");
      check.tensor("dE's row of the target token", row(1), tensor_of({1, 4}, {0, 0, 2, 0}), "");
      check.claim("a token that is only predicted gets dlogits · h, without another √d");
      check.tensor("dE's row of the predicted token", row(2), tensor_of({1, 4}, {2, 2, 0, 0}),
                   "h = 2 E_0 + 2 E_1 has its √d already.");
      check.claim("tokens in all places at once, against finite differences");
      Tensor F = random_tensor({4, 3}, 1);
      const std::vector<int> source = {2, 0, 2}, target = {1, 2, 2};
      const Tensor dlogits = random_tensor({3, 4}, 2);
      const auto loss = [&] {
        Tensor h = Tensor::zeros({3, 3});
        for (std::size_t t = 0; t < 3; ++t) {
          for (Index j = 0; j < 3; ++j) {
            h(t, j) = std::sqrt(3.0) * (F(source[t], j) + F(target[t], j));
          }
        }
        return weighted_sum(dlogits, product(h, transposed(F)));
      };
      check.gradient("dE", tied_gradient(dlogits, source, target, F), F, loss,
                     "All three paths add up in one row.");
    });
