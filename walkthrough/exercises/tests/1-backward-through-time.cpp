// Two steps by hand, then finite differences of the two equations.
#include <cmath>

#include "support/checks.h"

static const exercises::Exercise backward_through_time_exercise(
    "1-backward-through-time", [](exercises::Checks& check) {
      using namespace exercises;
      check.claim(
          "one step, h = 0.6, dh_out = 5, x = 4, W = 2: da = 5·(1 − 0.36), dx = 6.4, dW = 12.8");
      const RecurrentGradients one = backward_through_time(
          tensor_of({1, 1}, {5}), tensor_of({1, 1}, {4}), tensor_of({1, 1}, {0.6}),
          tensor_of({1, 1}, {2}), tensor_of({1, 1}, {3}));
      check.number("dx", one.dx[0], 6.4, "da W. (10: the slope of tanh is missing.)");
      check.number("dW", one.dW[0], 12.8, "x da.");
      check.number("db", one.db[0], 3.2, "da.");
      check.number("dU", one.dU[0], 0, "The old state is h_0 = 0.");
      check.claim(
          "two steps, h = (0.6, 0), dh_out = (0, 1), U = 3: da_2 = 1, da_1 = 3·0.64, dU = 0.6");
      const RecurrentGradients two = backward_through_time(
          tensor_of({2, 1}, {0, 1}), tensor_of({2, 1}, {1, 1}), tensor_of({2, 1}, {0.6, 0}),
          tensor_of({1, 1}, {1}), tensor_of({1, 1}, {3}));
      check.number("dx of the first token", two.dx[0], 1.92,
                   "The second step sends da_2 U back to h_1. (0: nothing went back in time.)");
      check.number("dU", two.dU[0], 0.6, "h_1 da_2: a step's da is multiplied by its *old* state.");
      check.number("db", two.db[0], 2.92, "A sum over the steps.");

      Tensor x = random_tensor({5, 3}, 1), W = random_tensor({3, 4}, 2);
      Tensor U = random_tensor({4, 4}, 3), b = random_tensor({4}, 4);
      const Tensor dh = random_tensor({5, 4}, 5);
      Tensor h;
      const auto loss = [&] {
        h = product(x, W);
        for (Index t = 0; t < 5; ++t) {
          for (Index j = 0; j < 4; ++j) {
            double a = h(t, j) + b[j];
            for (Index i = 0; t > 0 && i < 4; ++i) a += h(t - 1, i) * U(i, j);
            h(t, j) = std::tanh(a);
          }
        }
        return weighted_sum(dh, h);
      };
      loss();
      const Tensor states = h;
      const RecurrentGradients found = backward_through_time(dh, x, states, W, U);
      check.claim("five tokens, n = 4: all four agree with finite differences");
      check.gradient("dx", found.dx, x, loss, "h_t gets its row of dh_out plus da_(t+1) Uᵀ.");
      check.gradient("dW", found.dW, W, loss, "");
      check.gradient("dU", found.dU, U, loss, "Row t − 1 of h meets row t of da.");
      check.gradient("db", found.db, b, loss, "");
    });
