#include "layers/softmax.h"
#include "support/checks.h"

static const exercises::Exercise causal_mask_exercise("3.2.1-causal-mask", [](exercises::Checks&
                                                                                  check) {
  using namespace exercises;
  check.claim("equal scores, m = n = 3: 1; ½ ½; ⅓ ⅓ ⅓");
  const double third = 1.0 / 3;
  check.tensor(
      "P", causal_weights(Tensor::zeros({3, 3})),
      tensor_of({3, 3}, {1, 0, 0, 0.5, 0.5, 0, third, third, third}),
      "The first query looks at the first key. Each row adds up to 1: mask before the softmax.");
  check.claim("one query, four keys: it is the last position and looks at all");
  check.tensor("P", causal_weights(Tensor::zeros({1, 4})),
               tensor_of({1, 4}, {0.25, 0.25, 0.25, 0.25}),
               "Query 0 is at position n − m, not at 0.");
  check.claim("m = 2, n = 4");
  check.tensor("P", causal_weights(Tensor::zeros({2, 4})),
               tensor_of({2, 4}, {third, third, third, 0, 0.25, 0.25, 0.25, 0.25}), "");
  check.claim("m = 3, n = 2: the first query has no legal key and gets zeros");
  check.tensor("P", causal_weights(Tensor::zeros({3, 2})),
               tensor_of({3, 2}, {0, 0, 1, 0, 0.5, 0.5}), "0/0 is not a number.");
  check.claim("NaN and ∞ behind the mask do not matter");
  Tensor S = random_tensor({4, 4}, 1), want = S;
  S(0, 1) = std::nan("");
  S(1, 3) = HUGE_VAL;
  S(2, 3) = -HUGE_VAL;
  attn::softmax(want, 1, attn::Mask::causal);
  check.tensor(
      "P", causal_weights(S), want,
      "NaN · 0 is NaN: do not read what is behind the mask, not even to multiply it by 0.");
});
