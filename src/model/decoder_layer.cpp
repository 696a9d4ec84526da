// attended = LayerNorm(x + Dropout(MultiHead(x, x, x)))                  masked
// informed = LayerNorm(attended + Dropout(MultiHead(attended, z, z)))
// y        = LayerNorm(informed + Dropout(FFN(informed)))
//
// That is post-norm, the paper's; u and f as in encoder_layer.cpp.
#include "model/decoder_layer.h"

#include <utility>

namespace attn {

DecoderLayer::DecoderLayer(const TransformerConfig& c)
    : self_attention(make_attention(c)),
      self_residual(make_residual(c)),
      cross_attention(make_attention(c)),
      cross_residual(make_residual(c)),
      feed_forward(c.d_model, c.d_ff, c.relu_dropout),
      ffn_residual(make_residual(c)) {}

Tensor DecoderLayer::forward(Tensor x, const Context& context, const Pass& pass,
                             Cache& cache) const {
  const Pass in_self = pass.in("self_attention"), in_norm1 = pass.in("self_attention_norm");
  const Pass in_cross = pass.in("cross_attention"), in_norm2 = pass.in("cross_attention_norm");
  const Pass in_ffn = pass.in("feed_forward"), in_norm3 = pass.in("feed_forward_norm");

  // attended = LayerNorm(x + Dropout(MultiHead(x, x, x))), masked: context.self is causal
  const Tensor& u1 = self_residual.before(std::move(x), in_norm1, cache.self_residual);
  Tensor f1 = self_attention.forward(u1, u1, context.self, in_self, cache.self_attention);
  Tensor attended = self_residual.after(std::move(f1), in_norm1, cache.self_residual);
  pass.see("attended", attended);

  // informed = LayerNorm(attended + Dropout(MultiHead(attended, z, z)))
  const Tensor& u2 = cross_residual.before(std::move(attended), in_norm2, cache.cross_residual);
  Tensor f2 =
      cross_attention.forward(u2, context.z, context.cross, in_cross, cache.cross_attention);
  Tensor informed = cross_residual.after(std::move(f2), in_norm2, cache.cross_residual);
  pass.see("informed", informed);

  // y = LayerNorm(informed + Dropout(FFN(informed)))
  const Tensor& u3 = ffn_residual.before(std::move(informed), in_norm3, cache.ffn_residual);
  Tensor f3 = feed_forward.forward(u3, in_ffn, cache.feed_forward);
  Tensor y = ffn_residual.after(std::move(f3), in_norm3, cache.ffn_residual);
  pass.see("output", y);
  return y;
}

Tensor DecoderLayer::backward(const Tensor& dy, const Context& context, const Pass& pass,
                              const Cache& cache, Tensor& dz) {
  const Pass in_self = pass.in("self_attention"), in_norm1 = pass.in("self_attention_norm");
  const Pass in_cross = pass.in("cross_attention"), in_norm2 = pass.in("cross_attention_norm");
  const Pass in_ffn = pass.in("feed_forward"), in_norm3 = pass.in("feed_forward_norm");
  const Tensor& u1 = cache.self_residual.u;
  const Tensor& u2 = cache.cross_residual.u;
  const Tensor& u3 = cache.ffn_residual.u;
  pass.see("doutput", dy);

  // y = LayerNorm(informed + Dropout(FFN(informed)))
  auto [around3, df3] = ffn_residual.after_backward(dy, in_norm3, cache.ffn_residual);
  const Tensor du3 = feed_forward.backward(df3, u3, in_ffn, cache.feed_forward);
  const Tensor dinformed =
      ffn_residual.before_backward(du3, std::move(around3), in_norm3, cache.ffn_residual);
  pass.see("dinformed", dinformed);

  // informed = LayerNorm(attended + Dropout(MultiHead(attended, z, z))), which adds to dz, too
  auto [around2, df2] = cross_residual.after_backward(dinformed, in_norm2, cache.cross_residual);
  Tensor du2 = Tensor::zeros(u2.shape());
  cross_attention.backward(df2, u2, context.z, context.cross, in_cross, cache.cross_attention, du2,
                           dz);
  const Tensor dattended =
      cross_residual.before_backward(du2, std::move(around2), in_norm2, cache.cross_residual);
  pass.see("dattended", dattended);

  // attended = LayerNorm(x + Dropout(MultiHead(x, x, x))), masked
  auto [around1, df1] = self_residual.after_backward(dattended, in_norm1, cache.self_residual);
  Tensor du1 = Tensor::zeros(u1.shape());
  self_attention.backward(df1, u1, u1, context.self, in_self, cache.self_attention, du1, du1);
  return self_residual.before_backward(du1, std::move(around1), in_norm1, cache.self_residual);
}

void DecoderLayer::visit(const std::string& name, const ParameterVisitor& visitor) {
  self_attention.visit(name + ".self_attention", visitor);
  self_residual.visit(name + ".self_attention_norm", visitor);
  cross_attention.visit(name + ".cross_attention", visitor);
  cross_residual.visit(name + ".cross_attention_norm", visitor);
  feed_forward.visit(name + ".feed_forward", visitor);
  ffn_residual.visit(name + ".feed_forward_norm", visitor);
}

}  // namespace attn
