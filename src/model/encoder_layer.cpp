// attended = LayerNorm(x + SelfAttention(x));  y = LayerNorm(attended + FFN(attended)).
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
  return {c.d_model, c.norm, c.dropout};
}

EncoderLayer::EncoderLayer(const TransformerConfig& c, Mask mask_)
    : mask(mask_),
      self_attention(make_attention(c)),
      self_attention_residual(make_residual(c)),
      feed_forward(c.d_model, c.d_ff, c.relu_dropout),
      feed_forward_residual(make_residual(c)) {}

Tensor EncoderLayer::attend(const Tensor& x, const Offsets& offsets, const Pass& pass,
                            Cache& cache) const {
  const auto attention = [&](const Tensor& u) {
    return self_attention.forward({u, offsets, u, offsets, mask}, pass.in("self_attention"),
                                  cache.self_attention);
  };
  return self_attention_residual.forward(x, attention, pass.in("self_attention_norm"),
                                         cache.self_attention_residual);
}

Tensor EncoderLayer::attend_backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                                     const Pass& pass, const Cache& cache) {
  const auto attention_backward = [&](const Tensor& df, const Tensor& u) {
    return self_attention_backward(self_attention, df, u, offsets, mask, pass.in("self_attention"),
                                   cache.self_attention);
  };
  return self_attention_residual.backward(dy, x, attention_backward, pass.in("self_attention_norm"),
                                          cache.self_attention_residual);
}

Tensor EncoderLayer::attend_step(const Tensor& x, KeyValueCache& past, std::size_t own) const {
  const auto attention = [&](const Tensor& u) { return past.attend(self_attention, own, u); };
  Residual::Cache unused;
  return self_attention_residual.forward(x, attention, Pass(), unused);
}

Tensor EncoderLayer::transform(const Tensor& x, const Pass& pass, Cache& cache) const {
  const auto network = [&](const Tensor& u) {
    return feed_forward.forward(u, pass.in("feed_forward"), cache.feed_forward);
  };
  return feed_forward_residual.forward(x, network, pass.in("feed_forward_norm"),
                                       cache.feed_forward_residual);
}

Tensor EncoderLayer::transform_backward(const Tensor& dy, const Tensor& x, const Pass& pass,
                                        const Cache& cache) {
  const auto network_backward = [&](const Tensor& df, const Tensor& u) {
    return feed_forward.backward(df, u, pass.in("feed_forward"), cache.feed_forward);
  };
  return feed_forward_residual.backward(dy, x, network_backward, pass.in("feed_forward_norm"),
                                        cache.feed_forward_residual);
}

Tensor EncoderLayer::forward(const Tensor& x, const Context& offsets, const Pass& pass,
                             Cache& cache) const {
  Tensor attended = attend(x, offsets, pass, cache);
  pass.see("attended", attended);
  Tensor y = transform(attended, pass, cache);
  if (pass.keeps()) cache.attended = std::move(attended);
  return y;
}

Tensor EncoderLayer::backward(const Tensor& dy, const Tensor& x, const Context& offsets,
                              const Pass& pass, const Cache& cache) {
  const Tensor dattended = transform_backward(dy, cache.attended, pass, cache);
  pass.see("dattended", dattended);
  return attend_backward(dattended, x, offsets, pass, cache);
}

Tensor EncoderLayer::step(const Tensor& x, KeyValueCache& past, std::size_t own) const {
  Cache unused;
  return transform(attend_step(x, past, own), Pass(), unused);
}

void EncoderLayer::visit(const std::string& name, const ParameterVisitor& visitor) {
  self_attention.visit(name + ".self_attention", visitor);
  self_attention_residual.visit(name + ".self_attention_norm", visitor);
  feed_forward.visit(name + ".feed_forward", visitor);
  feed_forward_residual.visit(name + ".feed_forward_norm", visitor);
}

}  // namespace attn
