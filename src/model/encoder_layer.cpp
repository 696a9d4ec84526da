// attended = LayerNorm(x + Dropout(MultiHead(x, x, x)))
// y        = LayerNorm(attended + Dropout(FFN(attended)))
//
// That is post-norm, the paper's. Each sub-layer has input u and output f: before() keeps x and
// gives u, which stays in the cache, and after() adds f to that x and normalises (layers/residual.h
// has pre-norm, too). Their backward passes are after_backward() and before_backward(), in this
// order. std::move hands a tensor over without a copy; pass.in and pass.see name and show values to
// an observer, if there is one.
#include "model/encoder_layer.h"

#include <utility>

namespace attn {

MultiHeadAttention make_attention(const TransformerConfig& c) {
  MultiHeadAttention attention(c.d_model, c.heads, c.d_k, c.d_v, c.attention_bias,
                               c.attention_dropout);
  attention.rotary = c.positions == Positions::rotary;
  return attention;
}

Residual make_residual(const TransformerConfig& c) {
  return Residual(c.d_model, c.norm, c.dropout);
}

EncoderLayer::EncoderLayer(const TransformerConfig& c)
    : self_attention(make_attention(c)),
      self_residual(make_residual(c)),
      feed_forward(c.d_model, c.d_ff, c.relu_dropout),
      ffn_residual(make_residual(c)) {}

Tensor EncoderLayer::forward(Tensor x, const AttentionPattern& pattern, const Pass& pass,
                             Cache& cache) const {
  const Pass in_attention = pass.in("self_attention"), in_norm1 = pass.in("self_attention_norm");
  const Pass in_ffn = pass.in("feed_forward"), in_norm2 = pass.in("feed_forward_norm");

  // attended = LayerNorm(x + Dropout(MultiHead(x, x, x)))
  const Tensor& u1 = self_residual.before(std::move(x), in_norm1, cache.self_residual);
  Tensor f1 = self_attention.forward(u1, u1, pattern, in_attention, cache.self_attention);
  Tensor attended = self_residual.after(std::move(f1), in_norm1, cache.self_residual);
  pass.see("attended", attended);

  // y = LayerNorm(attended + Dropout(FFN(attended)))
  const Tensor& u2 = ffn_residual.before(std::move(attended), in_norm2, cache.ffn_residual);
  Tensor f2 = feed_forward.forward(u2, in_ffn, cache.feed_forward);
  Tensor y = ffn_residual.after(std::move(f2), in_norm2, cache.ffn_residual);
  pass.see("output", y);
  return y;
}

Tensor EncoderLayer::backward(const Tensor& dy, const AttentionPattern& pattern, const Pass& pass,
                              const Cache& cache) {
  const Pass in_attention = pass.in("self_attention"), in_norm1 = pass.in("self_attention_norm");
  const Pass in_ffn = pass.in("feed_forward"), in_norm2 = pass.in("feed_forward_norm");
  const Tensor& u1 = cache.self_residual.u;
  const Tensor& u2 = cache.ffn_residual.u;
  pass.see("doutput", dy);

  // y = LayerNorm(attended + Dropout(FFN(attended))). Two paths lead back to attended, one around
  // the FFN and one through it.
  auto [around2, df2] = ffn_residual.after_backward(dy, in_norm2, cache.ffn_residual);
  const Tensor du2 = feed_forward.backward(df2, u2, in_ffn, cache.feed_forward);
  const Tensor dattended =
      ffn_residual.before_backward(du2, std::move(around2), in_norm2, cache.ffn_residual);
  pass.see("dattended", dattended);

  // attended = LayerNorm(x + Dropout(MultiHead(x, x, x)))
  auto [around1, df1] = self_residual.after_backward(dattended, in_norm1, cache.self_residual);
  Tensor du1 = Tensor::zeros(u1.shape());  // u1 is read three times
  self_attention.backward(df1, u1, u1, pattern, in_attention, cache.self_attention, du1, du1);
  return self_residual.before_backward(du1, std::move(around1), in_norm1, cache.self_residual);
}

void EncoderLayer::visit(const std::string& name, const ParameterVisitor& visitor) {
  self_attention.visit(name + ".self_attention", visitor);
  self_residual.visit(name + ".self_attention_norm", visitor);
  feed_forward.visit(name + ".feed_forward", visitor);
  ffn_residual.visit(name + ".feed_forward_norm", visitor);
}

}  // namespace attn
