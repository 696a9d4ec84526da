// The forward pass is the library's; every size is a different number.
#include "layers/attention.h"
#include "support/checks.h"

static const exercises::Exercise attention_backward_exercise(
    "3.2.1-attention-backward", [](exercises::Checks& check) {
      using namespace exercises;
      Tensor Q = random_tensor({4, 3}, 1), K = random_tensor({5, 3}, 2),
             V = random_tensor({5, 2}, 3);
      const Tensor dO = random_tensor({4, 2}, 4);
      Tensor P = Tensor::zeros({4, 5}), O = Tensor::zeros({4, 2});
      const auto loss = [&] {
        attention_forward(Q, K, V, {}, {}, P, O);
        return weighted_sum(dO, O);
      };
      loss();
      const AttentionGradients found = attend_backward(dO, Q, K, V, P);
      check.claim("dV agrees with finite differences");
      check.gradient("dV", found.dV, V, loss, "O = P V, so dV = Pᵀ dO.");

      Tensor dK_want = K, dQ_want = Q, dV_want = V;
      loss();
      attention_backward(dO, Q, K, V, P, {}, {}, dQ_want, dK_want, dV_want);
      check.claim("dQ and dK have the right direction");
      check.that(found.dQ.shape() == Q.shape() && found.dK.shape() == K.shape(),
                 "dQ should have the shape of Q, and dK that of K.");
      const auto ratio = [](const Tensor& a, const Tensor& b) {
        return weighted_sum(a, b) / weighted_sum(b, b);
      };
      const double rq = ratio(found.dQ, dQ_want), rk = ratio(found.dK, dK_want);
      const auto scaled = [](Tensor x, double factor) {
        for (Index i = 0; i < x.elements(); ++i) x[i] *= factor;
        return x;
      };
      check.tensor("dQ (up to a factor)", found.dQ, scaled(dQ_want, rq),
                   "dQ = dS K. Is the row's Σ p ⊙ dp subtracted before it is multiplied by p?");
      check.tensor("dK (up to a factor)", found.dK, scaled(dK_want, rk), "dK = dSᵀ Q.");
      check.claim("and the right size: 1/√d_k is in both");
      check.number("the size of dQ, relative to what it should be,", rq, 1,
                   "d_k = 3 here, the number of Q's columns.", 1e-9);
      check.number("the size of dK, relative to what it should be,", rk, 1,
                   "d_k = 3 here, the number of Q's columns.", 1e-9);
      check.claim("dQ and dK agree with finite differences");
      check.gradient("dQ", found.dQ, Q, loss, "");
      check.gradient("dK", found.dK, K, loss, "");
    });
