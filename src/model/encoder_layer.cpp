// attended = LayerNorm(x + SelfAttention(x));  y = LayerNorm(attended + FFN(attended)).
#include "model/encoder_layer.h"

namespace attn {

MultiHeadAttention make_attention(const Config& c) {
  return {c.d_model, c.heads, c.d_k, c.d_v, c.attention_bias, c.attention_dropout};
}

FeedForward make_feed_forward(const Config& c) {
  return {c.d_model, c.d_ff, c.relu_dropout};
}

Residual make_residual(const Config& c) {
  return {c.d_model, c.norm, c.dropout};
}

EncoderLayer::EncoderLayer(const Config& config)
    : self_attention(make_attention(config)),
      self_attention_residual(make_residual(config)),
      feed_forward(make_feed_forward(config)),
      feed_forward_residual(make_residual(config)) {}

Tensor EncoderLayer::forward(const Tensor& x, const Offsets& offsets, DropoutMasks& masks,
                             Cache& cache) const {
  cache.attended = self_attention_residual.forward(
      x, masks, cache.self_attention_residual, [&](const Tensor& u) {
        return self_attention.forward({u, offsets, u, offsets, Mask::none}, masks,
                                      cache.self_attention);
      });
  return feed_forward_residual.forward(
      cache.attended, masks, cache.feed_forward_residual,
      [&](const Tensor& u) { return feed_forward.forward(u, masks, cache.feed_forward); });
}

Tensor EncoderLayer::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                              const Cache& cache) {
  const Tensor dattended = feed_forward_residual.backward(
      dy, cache.attended, cache.feed_forward_residual, [&](const Tensor& df, const Tensor& u) {
        return feed_forward.backward(df, u, cache.feed_forward);
      });
  return self_attention_residual.backward(
      dattended, x, cache.self_attention_residual, [&](const Tensor& df, const Tensor& u) {
        return self_attention_backward(self_attention, df, u, offsets, Mask::none,
                                       cache.self_attention);
      });
}

Tensor self_attention_backward(MultiHeadAttention& attention, const Tensor& dy, const Tensor& x,
                               const Offsets& offsets, Mask mask,
                               const MultiHeadAttention::Cache& cache) {
  Tensor dx = Tensor::zeros(x.shape());
  const Tensor through_queries = attention.backward(dy, {x, offsets, x, offsets, mask}, cache, dx);
  add(through_queries, dx);
  return dx;
}

void EncoderLayer::visit(const std::string& name, const ParameterVisitor& visitor) {
  self_attention.visit(name + ".self_attention", visitor);
  self_attention_residual.visit(name + ".self_attention_norm", visitor);
  feed_forward.visit(name + ".feed_forward", visitor);
  feed_forward_residual.visit(name + ".feed_forward_norm", visitor);
}

}  // namespace attn
