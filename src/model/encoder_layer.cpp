// attended = LayerNorm(x + SelfAttention(x));  y = LayerNorm(attended + FFN(attended)).
#include "model/encoder_layer.h"

#include <utility>

namespace attn {

MultiHeadAttention make_attention(const TransformerConfig& c) {
  return {c.d_model, c.heads, c.d_k, c.d_v, c.attention_bias, c.attention_dropout};
}

FeedForward make_feed_forward(const TransformerConfig& c) {
  return {c.d_model, c.d_ff, c.relu_dropout};
}

Residual make_residual(const TransformerConfig& c) {
  return {c.d_model, c.norm, c.dropout};
}

EncoderLayer::EncoderLayer(const TransformerConfig& config)
    : self_attention(make_attention(config)),
      self_attention_residual(make_residual(config)),
      feed_forward(make_feed_forward(config)),
      feed_forward_residual(make_residual(config)) {}

Tensor EncoderLayer::forward(const Tensor& x, const Offsets& offsets, const Pass& pass,
                             Cache& cache) const {
  // attended = LayerNorm(x + SelfAttention(x))
  const Tensor& u = self_attention_residual.before(x, pass.in("self_attention_norm"),
                                                   cache.self_attention_residual);
  Tensor f = self_attention.forward({u, offsets, u, offsets, Mask::none}, pass.in("self_attention"),
                                    cache.self_attention);
  Tensor attended = self_attention_residual.after(x, std::move(f), pass.in("self_attention_norm"),
                                                  cache.self_attention_residual);
  pass.see("attended", self_attention_residual.formula(), attended);

  // y = LayerNorm(attended + FFN(attended))
  const Tensor& v = feed_forward_residual.before(attended, pass.in("feed_forward_norm"),
                                                 cache.feed_forward_residual);
  f = feed_forward.forward(v, pass.in("feed_forward"), cache.feed_forward);
  Tensor y = feed_forward_residual.after(attended, std::move(f), pass.in("feed_forward_norm"),
                                         cache.feed_forward_residual);

  if (pass.keeps()) cache.attended = std::move(attended);
  return y;
}

Tensor EncoderLayer::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                              const Pass& pass, const Cache& cache) {
  // y = LayerNorm(attended + FFN(attended))
  Residual::Terms d = feed_forward_residual.after_backward(dy, pass.in("feed_forward_norm"),
                                                           cache.feed_forward_residual);
  const Tensor& v =
      feed_forward_residual.sublayer_input(cache.attended, cache.feed_forward_residual);
  Tensor dv = feed_forward.backward(d.df, v, pass.in("feed_forward"), cache.feed_forward);
  const Tensor dattended = feed_forward_residual.before_backward(
      std::move(dv), d.dsum, pass.in("feed_forward_norm"), cache.feed_forward_residual);
  pass.see("dattended", feed_forward_residual.gradient_formula(), dattended);

  // attended = LayerNorm(x + SelfAttention(x))
  d = self_attention_residual.after_backward(dattended, pass.in("self_attention_norm"),
                                             cache.self_attention_residual);
  const Tensor& u = self_attention_residual.sublayer_input(x, cache.self_attention_residual);
  Tensor du = self_attention_backward(self_attention, d.df, u, offsets, Mask::none,
                                      pass.in("self_attention"), cache.self_attention);
  return self_attention_residual.before_backward(
      std::move(du), d.dsum, pass.in("self_attention_norm"), cache.self_attention_residual);
}

void EncoderLayer::visit(const std::string& name, const ParameterVisitor& visitor) {
  self_attention.visit(name + ".self_attention", visitor);
  self_attention_residual.visit(name + ".self_attention_norm", visitor);
  feed_forward.visit(name + ".feed_forward", visitor);
  feed_forward_residual.visit(name + ".feed_forward_norm", visitor);
}

}  // namespace attn
