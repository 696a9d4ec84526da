// attended = LayerNorm(x + MaskedSelfAttention(x))
// informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
// y        = LayerNorm(informed + FFN(informed))
#include "model/decoder_layer.h"

#include <algorithm>
#include <utility>

namespace attn {

DecoderLayer::DecoderLayer(const TransformerConfig& config)
    : self_attention(make_attention(config)),
      self_attention_residual(make_residual(config)),
      cross_attention(make_attention(config)),
      cross_attention_residual(make_residual(config)),
      feed_forward(make_feed_forward(config)),
      feed_forward_residual(make_residual(config)) {}

Tensor DecoderLayer::forward(const Tensor& x, const Offsets& offsets, const Memory& memory,
                             const Pass& pass, Cache& cache) const {
  // attended = LayerNorm(x + MaskedSelfAttention(x))
  const Tensor& u = self_attention_residual.before(x, pass.in("self_attention_norm"),
                                                   cache.self_attention_residual);
  Tensor f = self_attention.forward({u, offsets, u, offsets, Mask::causal},
                                    pass.in("self_attention"), cache.self_attention);
  Tensor attended = self_attention_residual.after(x, std::move(f), pass.in("self_attention_norm"),
                                                  cache.self_attention_residual);
  pass.see("attended", self_attention_residual.formula(), attended);

  // informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
  const Tensor& v = cross_attention_residual.before(attended, pass.in("cross_attention_norm"),
                                                    cache.cross_attention_residual);
  f = cross_attention.forward({v, offsets, memory.z, memory.offsets, Mask::none},
                              pass.in("cross_attention"), cache.cross_attention);
  Tensor informed = cross_attention_residual.after(
      attended, std::move(f), pass.in("cross_attention_norm"), cache.cross_attention_residual);
  pass.see("informed", cross_attention_residual.formula(), informed);

  // y = LayerNorm(informed + FFN(informed))
  const Tensor& w = feed_forward_residual.before(informed, pass.in("feed_forward_norm"),
                                                 cache.feed_forward_residual);
  f = feed_forward.forward(w, pass.in("feed_forward"), cache.feed_forward);
  Tensor y = feed_forward_residual.after(informed, std::move(f), pass.in("feed_forward_norm"),
                                         cache.feed_forward_residual);

  if (pass.keeps()) {
    cache.attended = std::move(attended);
    cache.informed = std::move(informed);
  }
  return y;
}

Tensor DecoderLayer::backward(const Tensor& dy, const Tensor& x, const Offsets& offsets,
                              const Memory& memory, const Pass& pass, const Cache& cache,
                              Tensor& dz) {
  // y = LayerNorm(informed + FFN(informed))
  Residual::Terms d = feed_forward_residual.after_backward(dy, pass.in("feed_forward_norm"),
                                                           cache.feed_forward_residual);
  const Tensor& w =
      feed_forward_residual.sublayer_input(cache.informed, cache.feed_forward_residual);
  Tensor dw = feed_forward.backward(d.df, w, pass.in("feed_forward"), cache.feed_forward);
  const Tensor dinformed = feed_forward_residual.before_backward(
      std::move(dw), d.dsum, pass.in("feed_forward_norm"), cache.feed_forward_residual);
  pass.see("dinformed", feed_forward_residual.gradient_formula(), dinformed);

  // informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
  d = cross_attention_residual.after_backward(dinformed, pass.in("cross_attention_norm"),
                                              cache.cross_attention_residual);
  const Tensor& v =
      cross_attention_residual.sublayer_input(cache.attended, cache.cross_attention_residual);
  Tensor dv = cross_attention.backward(d.df, {v, offsets, memory.z, memory.offsets, Mask::none},
                                       pass.in("cross_attention"), cache.cross_attention, dz);
  const Tensor dattended = cross_attention_residual.before_backward(
      std::move(dv), d.dsum, pass.in("cross_attention_norm"), cache.cross_attention_residual);
  pass.see("dattended", cross_attention_residual.gradient_formula(), dattended);

  // attended = LayerNorm(x + MaskedSelfAttention(x))
  d = self_attention_residual.after_backward(dattended, pass.in("self_attention_norm"),
                                             cache.self_attention_residual);
  const Tensor& u = self_attention_residual.sublayer_input(x, cache.self_attention_residual);
  Tensor du = self_attention_backward(self_attention, d.df, u, offsets, Mask::causal,
                                      pass.in("self_attention"), cache.self_attention);
  return self_attention_residual.before_backward(
      std::move(du), d.dsum, pass.in("self_attention_norm"), cache.self_attention_residual);
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
    past.push_back({1, K, V});
  }
  return past;
}

}  // namespace

Tensor DecoderLayer::step(const Tensor& x, Index position, const std::vector<Index>& slots,
                          Keys& keys) const {
  const Pass pass;
  Cache cache;

  // attended = LayerNorm(x + MaskedSelfAttention(x))
  const Tensor& u = self_attention_residual.before(x, pass, cache.self_attention_residual);
  const auto past = extended(keys, position, slots, self_attention.key.forward(u),
                             self_attention.value.forward(u));
  const Tensor attended = self_attention_residual.after(x, self_attention.attend(u, past), pass,
                                                        cache.self_attention_residual);

  // informed = LayerNorm(attended + Attention(queries of attended; keys and values of z))
  const Tensor& v = cross_attention_residual.before(attended, pass, cache.cross_attention_residual);
  const Tensor informed = cross_attention_residual.after(
      attended, cross_attention.attend(v, keys.source), pass, cache.cross_attention_residual);

  // y = LayerNorm(informed + FFN(informed))
  const Tensor& w = feed_forward_residual.before(informed, pass, cache.feed_forward_residual);
  return feed_forward_residual.after(informed, feed_forward.forward(w, pass, cache.feed_forward),
                                     pass, cache.feed_forward_residual);
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
