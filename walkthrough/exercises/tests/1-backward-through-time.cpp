// Two steps by hand, then finite differences of the two equations.
#include <cmath>

#include "support/checks.h"

static const exercises::Exercise backward_through_time_exercise(
    "1-backward-through-time", [](exercises::Checks& check) {
      using namespace exercises;
      check.claim("one step, h = ½, dh_out = 4, x = 5, W = 2: da = 4·(1 − ¼) = 3, dx = 6, dW = 15");
      const RecurrentGradients one = backward_through_time(
          tensor_of({1, 1}, {4}), tensor_of({1, 1}, {5}), tensor_of({1, 1}, {0.5}),
          tensor_of({1, 1}, {2}), tensor_of({1, 1}, {3}));
      check.number("dx", one.dx[0], 6, "da W. (8: the slope of tanh is missing.)");
      check.number("dW", one.dW[0], 15, "x da.");
      check.number("db", one.db[0], 3, "da.");
      check.number("dU", one.dU[0], 0, "The old state is h_0 = 0.");
      check.claim(
          "two steps, h = (½, 0), dh_out = (0, 1), U = 3: da_2 = 1, da_1 = 3·¾, dU = ½, db = 3.25");
      const RecurrentGradients two = backward_through_time(
          tensor_of({2, 1}, {0, 1}), tensor_of({2, 1}, {1, 1}), tensor_of({2, 1}, {0.5, 0}),
          tensor_of({1, 1}, {1}), tensor_of({1, 1}, {3}));
      check.number("dx of the first token", two.dx[0], 2.25,
                   "The second step asks h_1 for da_2 U. (0: nothing went back in time.)");
      check.number("dU", two.dU[0], 0.5, "h_1 da_2: the *old* state of a step meets its da.");
      check.number("db", two.db[0], 3.25, "A sum over the steps.");

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
      check.claim("five tokens, n = 4: all four are what finite differences say");
      check.gradient("dx", found.dx, x, loss, "");
      check.gradient("dW", found.dW, W, loss, "");
      check.gradient("dU", found.dU, U, loss, "Row t − 1 of h meets row t of da.");
      check.gradient("db", found.db, b, loss, "");
    });
