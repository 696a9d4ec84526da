// attended = LayerNorm(x + MaskedSelfAttention(x))
// informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
// y        = LayerNorm(informed + FFN(informed))
#include "model/decoder_layer.h"

#include <utility>

namespace attn {

DecoderLayer::DecoderLayer(const TransformerConfig& config)
    : EncoderLayer(config, Mask::causal),
      cross_attention(make_attention(config)),
      cross_attention_residual(make_residual(config)) {}

Tensor DecoderLayer::forward(const Tensor& x, const Context& in, const Pass& pass,
                             Cache& cache) const {
  // attended = LayerNorm(x + MaskedSelfAttention(x))
  Tensor attended = attend(x, in.offsets, pass, cache);
  pass.see("attended", attended);

  // informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
  const auto ask = [&](const Tensor& u) {
    return cross_attention.forward({u, in.offsets, in.z, in.z_offsets, Mask::none},
                                   pass.in("cross_attention"), cache.cross_attention);
  };
  Tensor informed = cross_attention_residual.forward(attended, ask, pass.in("cross_attention_norm"),
                                                     cache.cross_attention_residual);
  pass.see("informed", informed);

  // y = LayerNorm(informed + FFN(informed))
  Tensor y = transform(informed, pass, cache);
  if (pass.keeps()) {
    cache.attended = std::move(attended);
    cache.informed = std::move(informed);
  }
  return y;
}

Tensor DecoderLayer::backward(const Tensor& dy, const Tensor& x, const Context& in,
                              const Pass& pass, const Cache& cache, Tensor& dz) {
  const Tensor dinformed = transform_backward(dy, cache.informed, pass, cache);
  pass.see("dinformed", dinformed);

  const auto ask_backward = [&](const Tensor& df, const Tensor& u) {
    return cross_attention.backward(df, {u, in.offsets, in.z, in.z_offsets, Mask::none},
                                    pass.in("cross_attention"), cache.cross_attention, dz);
  };
  const Tensor dattended = cross_attention_residual.backward(
      dinformed, cache.attended, ask_backward, pass.in("cross_attention_norm"),
      cache.cross_attention_residual);
  pass.see("dattended", dattended);

  return attend_backward(dattended, x, in.offsets, pass, cache);
}

Tensor DecoderLayer::step(const Tensor& x, KeyValueCache& past, std::size_t own,
                          const std::vector<MultiHeadAttention::Memory>& source) const {
  const auto ask = [&](const Tensor& u) { return cross_attention.attend(u, source); };
  Cache unused;
  const Tensor informed = cross_attention_residual.forward(attend_step(x, past, own), ask, Pass(),
                                                           unused.cross_attention_residual);
  return transform(informed, Pass(), unused);
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
