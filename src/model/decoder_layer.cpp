// attended = LayerNorm(x + MaskedSelfAttention(x))
// informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
// y        = LayerNorm(informed + FFN(informed))
#include "model/decoder_layer.h"

#include <algorithm>
#include <utility>

namespace attn {

DecoderLayer::DecoderLayer(const TransformerConfig& config)
    : self_attention(make_attention(config, Mask::causal)),
      self_attention_residual(make_residual(config)),
      cross_attention(make_attention(config, Mask::none)),
      cross_attention_residual(make_residual(config)),
      feed_forward(make_feed_forward(config)),
      feed_forward_residual(make_residual(config)) {}

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

namespace {

// The newest position's keys and values [R, …] join those of the positions before it; what each row
// of x attends to now.
std::vector<MultiHeadAttention::Memory> extended(DecoderLayer::Keys& keys, Index position,
                                                 const std::vector<Index>& slots, const Tensor& k,
                                                 const Tensor& v) {
  std::vector<MultiHeadAttention::Memory> past;
  const Index capacity = keys.K.shape().size[1];
  for (Index r = 0; r < k.rows(); ++r) {
    const Index slot = slots[static_cast<std::size_t>(r)];
    const MatrixView K(keys.K.row(slot * capacity), position + 1, k.cols(), k.cols());
    const MatrixView V(keys.V.row(slot * capacity), position + 1, v.cols(), v.cols());
    std::copy_n(k.row(r), k.cols(), K.row(position));
    std::copy_n(v.row(r), v.cols(), V.row(position));
    past.push_back({1, K, V, position});
  }
  return past;
}

}  // namespace

Tensor DecoderLayer::step(const Tensor& x, Index position, const std::vector<Index>& slots,
                          Keys& keys) const {
  const auto attend = [&](const Tensor& u) {
    const Tensor k = self_attention.keys(u, std::vector<Index>(slots.size(), position)),
                 v = self_attention.value.forward(u);
    return self_attention.attend(u, extended(keys, position, slots, k, v));
  };
  const auto attend_to_source = [&](const Tensor& u) {
    return cross_attention.attend(u, keys.source);
  };
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
