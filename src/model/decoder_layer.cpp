// attended = LayerNorm(x + MaskedSelfAttention(x))
// informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
// y        = LayerNorm(informed + FFN(informed))
#include "model/decoder_layer.h"

#include <utility>

namespace attn {

DecoderLayer::DecoderLayer(const TransformerConfig& config)
    : self_attention(make_attention(config, Mask::causal)),
      self_attention_residual(make_residual(config)),
      cross_attention(make_attention(config, Mask::none)),
      cross_attention_residual(make_residual(config)),
      feed_forward(make_feed_forward(config)),
      feed_forward_residual(make_residual(config)) {
  self_attention.positions.window = config.window;
}

Tensor DecoderLayer::through(const Tensor& x, const Residual::Sublayer& attend,
                             const Residual::Sublayer& attend_to_source, const Pass& pass,
                             Cache& cache) const {
  const auto transform = [&](const Tensor& u) {
    return feed_forward.forward(u, pass.in("feed_forward"), cache.feed_forward);
  };

  // attended = LayerNorm(x + MaskedSelfAttention(x))
  Tensor attended = self_attention_residual.forward(x, attend, pass.in("self_attention_norm"),
                                                    cache.self_attention_residual);
  pass.see("attended", attended);

  // informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
  Tensor informed = cross_attention_residual.forward(
      attended, attend_to_source, pass.in("cross_attention_norm"), cache.cross_attention_residual);
  pass.see("informed", informed);

  // y = LayerNorm(informed + FFN(informed))
  Tensor y = feed_forward_residual.forward(informed, transform, pass.in("feed_forward_norm"),
                                           cache.feed_forward_residual);
  if (pass.keeps()) {
    cache.attended = std::move(attended);
    cache.informed = std::move(informed);
  }
  return y;
}

Tensor DecoderLayer::forward(const Tensor& x, const Context& in, const Pass& pass,
                             Cache& cache) const {
  const auto attend = [&](const Tensor& u) {
    return self_attention.forward({u, in.offsets, u, in.offsets, Mask::causal},
                                  pass.in("self_attention"), cache.self_attention);
  };
  const auto attend_to_source = [&](const Tensor& u) {
    return cross_attention.forward({u, in.offsets, in.z, in.z_offsets, Mask::none},
                                   pass.in("cross_attention"), cache.cross_attention);
  };
  return through(x, attend, attend_to_source, pass, cache);
}

Tensor DecoderLayer::backward(const Tensor& dy, const Tensor& x, const Context& in,
                              const Pass& pass, const Cache& cache, Tensor& dz) {
  const auto attend_backward = [&](const Tensor& df, const Tensor& u) {
    return self_attention_backward(self_attention, df, u, in.offsets, Mask::causal,
                                   pass.in("self_attention"), cache.self_attention);
  };
  const auto attend_to_source_backward = [&](const Tensor& df, const Tensor& u) {
    return cross_attention.backward(df, {u, in.offsets, in.z, in.z_offsets, Mask::none},
                                    pass.in("cross_attention"), cache.cross_attention, dz);
  };
  const auto transform_backward = [&](const Tensor& df, const Tensor& u) {
    return feed_forward.backward(df, u, pass.in("feed_forward"), cache.feed_forward);
  };

  // y = LayerNorm(informed + FFN(informed))
  const Tensor dinformed =
      feed_forward_residual.backward(dy, cache.informed, transform_backward,
                                     pass.in("feed_forward_norm"), cache.feed_forward_residual);
  pass.see("dinformed", dinformed);

  // informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
  const Tensor dattended = cross_attention_residual.backward(
      dinformed, cache.attended, attend_to_source_backward, pass.in("cross_attention_norm"),
      cache.cross_attention_residual);
  pass.see("dattended", dattended);

  // attended = LayerNorm(x + MaskedSelfAttention(x))
  return self_attention_residual.backward(
      dattended, x, attend_backward, pass.in("self_attention_norm"), cache.self_attention_residual);
}

Tensor DecoderLayer::step(const Tensor& x, KeyValueCache& past, std::size_t own,
                          const std::vector<MultiHeadAttention::Memory>& source) const {
  const auto attend = [&](const Tensor& u) { return past.attend(self_attention, own, u); };
  const auto attend_to_source = [&](const Tensor& u) { return cross_attention.attend(u, source); };
  Cache unused;
  return through(x, attend, attend_to_source, Pass(), unused);
}

void DecoderLayer::visit(const std::string& name, const ParameterVisitor& visitor) {
  self_attention.visit(name + ".self_attention", visitor);
  self_attention_residual.visit(name + ".self_attention_norm", visitor);
  cross_attention.visit(name + ".cross_attention", visitor);
  cross_attention_residual.visit(name + ".cross_attention_norm", visitor);
  feed_forward.visit(name + ".feed_forward", visitor);
  feed_forward_residual.visit(name + ".feed_forward_norm", visitor);
}

}  // namespace attn
