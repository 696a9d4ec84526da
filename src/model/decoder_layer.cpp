// attended = LayerNorm(x + MaskedSelfAttention(x))
// informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
// y        = LayerNorm(informed + FFN(informed))
#include "model/decoder_layer.h"

#include <algorithm>

namespace attn {

DecoderLayer::DecoderLayer(const Config& config)
    : self_attention(make_attention(config)),
      self_attention_residual(make_residual(config)),
      cross_attention(make_attention(config)),
      cross_attention_residual(make_residual(config)),
      feed_forward(make_feed_forward(config)),
      feed_forward_residual(make_residual(config)) {}

Tensor DecoderLayer::forward(const Tensor& x, const Offsets& offsets, const Memory& memory,
                             DropoutMasks& masks, Cache& cache) const {
  cache.attended = self_attention_residual.forward(
      x, masks, cache.self_attention_residual, [&](const Tensor& u) {
        return self_attention.forward({u, offsets, u, offsets, Mask::causal}, masks,
                                      cache.self_attention);
      });
  cache.informed = cross_attention_residual.forward(
      cache.attended, masks, cache.cross_attention_residual, [&](const Tensor& u) {
        return cross_attention.forward({u, offsets, memory.z, memory.offsets, Mask::none}, masks,
                                       cache.cross_attention);
      });
  return feed_forward_residual.forward(
      cache.informed, masks, cache.feed_forward_residual,
      [&](const Tensor& u) { return feed_forward.forward(u, masks, cache.feed_forward); });
}

Tensor DecoderLayer::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                              const Memory& memory, const Cache& cache, Tensor& dz) {
  const Tensor dinformed = feed_forward_residual.backward(
      dy, cache.informed, cache.feed_forward_residual, [&](const Tensor& df, const Tensor& u) {
        return feed_forward.backward(df, u, cache.feed_forward);
      });
  const Tensor dattended = cross_attention_residual.backward(
      dinformed, cache.attended, cache.cross_attention_residual,
      [&](const Tensor& df, const Tensor& u) {
        return cross_attention.backward(df, {u, offsets, memory.z, memory.offsets, Mask::none},
                                        cache.cross_attention, dz);
      });
  return self_attention_residual.backward(
      dattended, x, cache.self_attention_residual, [&](const Tensor& df, const Tensor& u) {
        return self_attention_backward(self_attention, df, u, offsets, Mask::causal,
                                       cache.self_attention);
      });
}

Tensor DecoderLayer::step(const Tensor& x, Index position, const std::vector<Index>& slots,
                          Keys& keys) const {
  DropoutMasks off;
  Residual::Cache residual;
  const Tensor attended = self_attention_residual.forward(x, off, residual, [&](const Tensor& u) {
    // The newest position's key and value join those of the positions before it.
    const Tensor k = self_attention.key.forward(u), v = self_attention.value.forward(u);
    std::vector<MultiHeadAttention::Memory> past;
    const Index capacity = keys.K.shape().size[1];
    for (Index r = 0; r < u.rows(); ++r) {
      const Index slot = slots[static_cast<std::size_t>(r)];
      const MatrixView K(keys.K.row(slot * capacity), position + 1, k.cols(), k.cols());
      const MatrixView V(keys.V.row(slot * capacity), position + 1, v.cols(), v.cols());
      std::copy_n(k.row(r), k.cols(), K.row(position));
      std::copy_n(v.row(r), v.cols(), V.row(position));
      past.push_back({1, K, V});
    }
    return self_attention.attend(u, past);
  });
  const Tensor informed = cross_attention_residual.forward(
      attended, off, residual,
      [&](const Tensor& u) { return cross_attention.attend(u, keys.source); });
  FeedForward::Cache hidden;
  return feed_forward_residual.forward(informed, off, residual, [&](const Tensor& u) {
    return feed_forward.forward(u, off, hidden);
  });
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
