// Against a case worked out by hand, then against finite differences.
#include "support/checks.h"

static const exercises::Exercise c_linear_backward("C-linear-backward", [](exercises::Checks&
                                                                               check) {
  using namespace exercises;
  check.claim("one token: x = (2, 3), W = (5; 7), dy = 10 gives dx = (50, 70)");
  Tensor x = tensor_of({1, 2}, {2, 3}), W = tensor_of({2, 1}, {5, 7});
  Tensor dW = Tensor::zeros({2, 1}), db = Tensor::zeros({1});
  const Tensor dy = tensor_of({1, 1}, {10});
  check.tensor("dx", linear_backward(dy, x, W, dW, db), tensor_of({1, 2}, {50, 70}), "dx = dy Wᵀ.");
  check.claim("and dW = (20; 30), db = 10");
  check.tensor("dW", dW, tensor_of({2, 1}, {20, 30}), "dW = xᵀ dy.");
  check.tensor("db", db, tensor_of({1}, {10}), "b is added to y unscaled.");

  check.claim("a second call, with dy = 1, adds (2; 3) and 1 to dW and db");
  linear_backward(tensor_of({1, 1}, {1}), x, W, dW, db);
  check.tensor("dW", dW, tensor_of({2, 1}, {22, 33}), "Write += where you have =.");
  check.tensor("db", db, tensor_of({1}, {11}), "Write += where you have =.");

  check.claim("five tokens, 3 numbers to 4: dx, dW and db agree with finite differences");
  x = random_tensor({5, 3}, 1);
  W = random_tensor({3, 4}, 2);
  Tensor b = random_tensor({4}, 3);
  const Tensor w = random_tensor({5, 4}, 4);  // L = Σ w ⊙ y, so dy = w
  const auto loss = [&] {
    Tensor y = product(x, W);
    for (Index t = 0; t < 5; ++t) {
      for (Index o = 0; o < 4; ++o) y(t, o) += b[o];
    }
    return weighted_sum(w, y);
  };
  dW = Tensor::zeros({3, 4});
  db = Tensor::zeros({4});
  check.gradient("dx", linear_backward(w, x, W, dW, db), x, loss, "dx = dy Wᵀ.");
  check.gradient("dW", dW, W, loss, "Does dW collect from every token?");
  check.gradient("db", db, b, loss, "Does db collect from every token?");
});
