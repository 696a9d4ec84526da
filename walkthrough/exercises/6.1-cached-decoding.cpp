// Decoding without starting over                                             ★★★ 30 min, §6.1
//
// A decoder writes token by token. Causal self-attention at token t needs the query of t only, but
// the keys and values of all tokens so far. Those of earlier tokens never change, so keep them.
//
// step takes the newest token's vector x_t [1, d_model] and what you kept, and returns the row of
// Attention(x W_Q, x W_K, x W_V) for that token [1, d_v], as if all rows of x had been there. It
// must project only the newest row: multiply that by W_Q, W_K and W_V with multiply(A, B), which
// counts the rows of A. `kept` is empty before the first step, and there may be any number of
// steps.
//
// attn::attention_forward(Q, K, V, {}, {}, P, O) is equation (1), without a mask. Do you need one?
// Bonus: make room for more rows than you need now, so that a step does not copy everything.
#include "layers/attention.h"
#include "support/exercise.h"

using Multiply = std::function<Tensor(const Tensor& A, const Tensor& B)>;

struct Kept {
  Tensor K, V;  // room for some rows; change this as you like
  Index tokens = 0;
};

Tensor step(const Tensor& x_t, const Tensor& W_Q, const Tensor& W_K, const Tensor& W_V, Kept& kept,
            const Multiply& multiply) {
  not_yet();
}
