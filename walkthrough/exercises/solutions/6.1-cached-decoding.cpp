// No mask: we keep exactly the keys that the newest token may look at. The room doubles when it is
// full, so that n steps copy 2n rows at most.
#include "layers/attention.h"
#include "support/exercise.h"

using Multiply = std::function<Tensor(const Tensor& A, const Tensor& B)>;

struct Kept {
  Tensor K, V;  // the first `tokens` rows are filled
  Index tokens = 0;
};

inline void append(const Tensor& row, Index tokens, Tensor& rows) {
  if (tokens >= rows.rows()) {
    Tensor larger = Tensor::zeros({2 * tokens + 1, row.cols()});
    std::copy_n(rows.data(), tokens * row.cols(), larger.data());
    rows = std::move(larger);
  }
  std::copy_n(row.data(), row.cols(), rows.row(tokens));
}

Tensor step(const Tensor& x_t, const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V, Kept& kept,
            const Multiply& multiply) {
  append(multiply(x_t, W_K), kept.tokens, kept.K);
  append(multiply(x_t, W_V), kept.tokens, kept.V);
  ++kept.tokens;
  Tensor P = Tensor::zeros({1, kept.tokens}), O = Tensor::zeros({1, W_V.cols()});
  attn::attention_forward(multiply(x_t, W_Q), rows_of(kept.K, 0, kept.tokens),
                          rows_of(kept.V, 0, kept.tokens), {}, {}, P, O);
  return O;
}
