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
  const attn::Mask causal = attn::Mask::causal;
  for (const auto& [m, n] : {std::pair<Index, Index>{4, 4}, {3, 5}, {5, 2}}) {
    check.claim("m = " + std::to_string(m) + ", n = " + std::to_string(n) +
                ": scores differ, and NaN and ∞ behind the mask do not matter");
    Tensor S = random_tensor({m, n}, 1), want = S;
    softmax(want, 1, causal);
    const double junk[] = {std::nan(""), HUGE_VAL, -HUGE_VAL};
    for (Index i = 0; i < m; ++i) {
      for (Index j = legal_keys(causal, i, m, n); j < n; ++j) S(i, j) = junk[(i + j) % 3];
    }
    const Tensor P = causal_weights(S);
    check.tensor(
        "P", P, want,
        "NaN · 0 is NaN: do not read what is behind the mask, not even to multiply it by 0.");
    for (Index i = 0; i < m; ++i) {
      for (Index j = legal_keys(causal, i, m, n); j < n; ++j) {
        check.number("a weight behind the mask", P(i, j), 0, "Exactly 0.", 0);
      }
    }
  }
});
