// Every step against causal attention over all tokens at once.
#include "layers/attention.h"
#include "support/checks.h"

static const exercises::Exercise cached_decoding_exercise("6.1-cached-decoding", [](exercises::
                                                                                        Checks&
                                                                                            check) {
  using namespace exercises;
  const Index T = 1100;
  const Tensor W_Q = random_tensor({5, 2}, 1), W_K = random_tensor({5, 2}, 2),
               W_V = random_tensor({5, 4}, 3);
  const Tensor x = random_tensor({T, 5}, 4), y = random_tensor({T, 5}, 5);
  const auto full = [&](const Tensor& all) {
    attn::AttentionOptions options;
    options.mask = attn::Mask::causal;
    Tensor P = Tensor::zeros({T, T}), O = Tensor::zeros({T, 4});
    attention_forward(product(all, W_Q), product(all, W_K), product(all, W_V), options, {}, P, O);
    return O;
  };
  const auto row = [](const Tensor& of, Index t) {
    Tensor result = Tensor::zeros({1, of.cols()});
    std::copy_n(of.row(t), of.cols(), result.data());
    return result;
  };
  const Tensor want = full(x), want_y = full(y);
  Index multiplied = 0;
  const auto next = [&](const Tensor& all, Index t, Kept& kept) {
    multiplied = 0;
    return step(row(all, t), W_Q, W_K, W_V, kept, [&](const Tensor& A, const Tensor& B) {
      multiplied += A.rows();
      return product(A, B);
    });
  };
  Kept kept, other;
  check.claim("the first token can only look at itself");
  check.tensor("o", next(x, 0, kept), row(want, 0), "Its weight is 1: o = v.");
  check.claim("the second looks at both");
  check.tensor(
      "o", next(x, 1, kept), row(want, 1),
      "Are the first token's key and value still there? Do you read rows that were never filled?");
  check.claim("a step multiplies three rows");
  check.that(multiplied == 3,
             "Rows multiplied: " + std::to_string(multiplied) +
                 ". Multiply only the newest by W_Q, W_K and W_V; keep earlier keys and values.");
  check.claim("two sentences do not get mixed up");
  check.tensor("o", next(y, 0, other), row(want_y, 0), "Keep everything in `kept`.");
  check.claim("all 1100 tokens");
  for (Index t = 2; t < T; ++t) {
    check.tensor("token " + std::to_string(t) + "'s o", next(x, t, kept), row(want, t),
                 "Is there room for it? Are all earlier tokens still there?");
    check.that(multiplied == 3, "Rows multiplied: " + std::to_string(multiplied) + ".");
    check.tensor("the other sentence's o", next(y, t - 1, other), row(want_y, t - 1), "");
  }
});
