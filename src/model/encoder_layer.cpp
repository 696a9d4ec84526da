// attended = LayerNorm(x + SelfAttention(x));  y = LayerNorm(attended + FFN(attended)).
#include "model/encoder_layer.h"

#include <utility>

namespace attn {

MultiHeadAttention make_attention(const TransformerConfig& c, Mask mask) {
  MultiHeadAttention attention(c.d_model, c.heads, c.d_k, c.d_v, c.attention_bias,
                               c.attention_dropout);
  attention.positions = {position_rules(c.positions), c.heads, c.d_k, c.d_model,
                         mask == Mask::causal};
  return attention;
}

FeedForward make_feed_forward(const TransformerConfig& c) {
  return {c.d_model, c.d_ff, c.relu_dropout};
}

Residual make_residual(const TransformerConfig& c) {
  return {c.d_model, c.norm, c.dropout};
}

EncoderLayer::EncoderLayer(const TransformerConfig& config, Mask mask_)
    : mask(mask_),
      self_attention(make_attention(config, mask_)),
      self_attention_residual(make_residual(config)),
      feed_forward(make_feed_forward(config)),
      feed_forward_residual(make_residual(config)) {
  self_attention.positions.window = config.window;
}

Tensor EncoderLayer::through(const Tensor& x, const Residual::Sublayer& attend, const Pass& pass,
                             Cache& cache) const {
  const auto transform = [&](const Tensor& u) {
    return feed_forward.forward(u, pass.in("feed_forward"), cache.feed_forward);
  };

  // attended = LayerNorm(x + SelfAttention(x))
  Tensor attended = self_attention_residual.forward(x, attend, pass.in("self_attention_norm"),
                                                    cache.self_attention_residual);
  pass.see("attended", attended);

  // y = LayerNorm(attended + FFN(attended))
  Tensor y = feed_forward_residual.forward(attended, transform, pass.in("feed_forward_norm"),
                                           cache.feed_forward_residual);
  if (pass.keeps()) cache.attended = std::move(attended);
  return y;
}

Tensor EncoderLayer::forward(const Tensor& x, const Context& offsets, const Pass& pass,
                             Cache& cache) const {
  const auto attend = [&](const Tensor& u) {
    return self_attention.forward({u, offsets, u, offsets, mask}, pass.in("self_attention"),
                                  cache.self_attention);
  };
  return through(x, attend, pass, cache);
}

Tensor EncoderLayer::backward(const Tensor& dy, const Tensor& x, const Context& offsets,
                              const Pass& pass, const Cache& cache) {
  const auto attend_backward = [&](const Tensor& df, const Tensor& u) {
    return self_attention_backward(self_attention, df, u, offsets, mask, pass.in("self_attention"),
                                   cache.self_attention);
  };
  const auto transform_backward = [&](const Tensor& df, const Tensor& u) {
    return feed_forward.backward(df, u, pass.in("feed_forward"), cache.feed_forward);
  };

  // y = LayerNorm(attended + FFN(attended))
  const Tensor dattended =
      feed_forward_residual.backward(dy, cache.attended, transform_backward,
                                     pass.in("feed_forward_norm"), cache.feed_forward_residual);
  pass.see("dattended", dattended);

  // attended = LayerNorm(x + SelfAttention(x))
  return self_attention_residual.backward(
      dattended, x, attend_backward, pass.in("self_attention_norm"), cache.self_attention_residual);
}

Tensor EncoderLayer::step(const Tensor& x, KeyValueCache& past, std::size_t own) const {
  const auto attend = [&](const Tensor& u) { return past.attend(self_attention, own, u); };
  Cache unused;
  return through(x, attend, Pass(), unused);
}

void EncoderLayer::visit(const std::string& name, const ParameterVisitor& visitor) {
  self_attention.visit(name + ".self_attention", visitor);
  self_attention_residual.visit(name + ".self_attention_norm", visitor);
  feed_forward.visit(name + ".feed_forward", visitor);
  feed_forward_residual.visit(name + ".feed_forward_norm", visitor);
}

}  // namespace attn
