#include "layers/cross_entropy.h"
#include "support/checks.h"

static const exercises::Exercise label_smoothing_exercise(
    "5.4-label-smoothing", [](exercises::Checks& check) {
      using namespace exercises;
      Tensor d = Tensor::zeros({1, 4});
      check.claim("equal logits of 4 tokens: the loss is ln 4, with and without smoothing");
      check.number("L", smoothed_loss(Tensor::zeros({1, 4}), {2}, 0, d), std::log(4.0),
                   "p = ¼ for each.");
      check.number("L", smoothed_loss(Tensor::zeros({1, 4}), {2}, 0.2, d), std::log(4.0),
                   "The q_v add up to 1.");
      check.claim("its gradient is p − q: (0.2, 0.2, −0.6, 0.2) with ε = 0.2");
      check.tensor("dlogits", d, tensor_of({1, 4}, {0.2, 0.2, -0.6, 0.2}),
                   "q is 0.05, 0.05, 0.85, 0.05: all tokens share ε, even the right one. What was "
                   "in dlogits before is not part of it.");
      check.claim("logits of 1000 do no harm, nor do logits of −1000 in the next row");
      Tensor far = Tensor::zeros({2, 4});
      for (Index i = 0; i < 8; ++i) far[i] = i < 4 ? 1000 : -1000;
      d = Tensor::zeros({2, 4});
      check.number("L", smoothed_loss(far, {1, 2}, 0.1, d), std::log(4.0),
                   "e^1000 is ∞, e^−1000 is 0. Take out each row's largest logit.");
      check.claim("a right token costs 0 if it is certain, 2000 if its logit is 2000 below");
      d = Tensor::zeros({2, 3});
      check.number("L", smoothed_loss(tensor_of({2, 3}, {2000, 0, 0, 0, 0, 2000}), {0, 0}, 0, d),
                   1000,
                   "Take out the row's largest logit, and write ln p as l − ln Σ e^l: p may be 0.");
      check.tensor("dlogits", d, tensor_of({2, 3}, {0, 0, 0, -0.5, 0, 0.5}),
                   "(p − q)/T. Take out each row's largest logit in the gradient as well.");
      check.claim("and of it all with ε = 0.3: (400 + 1800)/2");
      check.number("L", smoothed_loss(tensor_of({2, 3}, {2000, 0, 0, 0, 0, 2000}), {0, 0}, 0.3, d),
                   1100, "The ln p of the other tokens, too, is l − ln Σ e^l: their p may be 0.");
      check.claim("the mean of 5 tokens, as the library computes it");
      Tensor logits = random_tensor({5, 7}, 1, 2);
      const std::vector<int> targets = {3, 0, 6, 6, 2};
      d = Tensor::zeros({5, 7});
      const double loss = smoothed_loss(logits, targets, 0.1, d);
      check.number("L", loss, attn::cross_entropy_forward(logits, targets.data(), 0.1).mean_loss(),
                   "Divide by T.");
      check.claim("each row of dlogits adds up to 0");
      for (Index t = 0; t < 5; ++t) {
        double sum = 0;
        for (Index v = 0; v < 7; ++v) sum += d(t, v);
        check.that(std::fabs(sum) < 1e-9, "row " + std::to_string(t) + " sums to " + show(sum) +
                                              ": p adds up to 1, and so must q.");
      }
      check.claim("dlogits agrees with finite differences");
      Tensor ignored = d;
      check.gradient(
          "dlogits", d, logits, [&] { return smoothed_loss(logits, targets, 0.1, ignored); },
          "A mean over T tokens: divide by T.");
    });
