// Every step against causal attention over all tokens at once.
#include "layers/attention.h"
#include "support/checks.h"

static const exercises::Exercise cached_decoding_exercise("6.1-cached-decoding", [](exercises::
                                                                                        Checks&
                                                                                            check) {
  using namespace exercises;
  const Index T = 9;
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
  Kept kept, other;
  check.claim("the first token can only look at itself");
  check.tensor("o", step(row(x, 0), W_Q, W_K, W_V, kept), row(want, 0), "Its weight is 1: o = v.");
  check.claim("the second looks at both");
  check.tensor(
      "o", step(row(x, 1), W_Q, W_K, W_V, kept), row(want, 1),
      "Are key and value of the first still there, and is there no room that was never filled?");
  check.claim("two sentences at the same time do not get mixed up");
  check.tensor("o", step(row(y, 0), W_Q, W_K, W_V, other), row(want_y, 0),
               "Keep everything in `kept`.");
  check.claim("all tokens up to the ninth");
  for (Index t = 2; t < T; ++t) {
    check.tensor("token " + std::to_string(t) + "'s o", step(row(x, t), W_Q, W_K, W_V, kept),
                 row(want, t), "");
    check.tensor("the other sentence's o", step(row(y, t - 1), W_Q, W_K, W_V, other),
                 row(want_y, t - 1), "");
  }
});
