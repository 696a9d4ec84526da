#include "app/trace_back_sublayers.h"

#include <utility>

#include "app/trace_makers.h"
#include "kernels/kernels.h"

namespace attn::app {

void add_dx_hat(TraceRecorder& out, const std::string& name, const LayerNorm& norm,
                const Tensor& dy, const std::string& dy_symbol, const Labels& rows) {
  Tensor dx_hat = dy;
  for (Index t = 0; t < dy.rows(); ++t) {
    for (Index j = 0; j < dy.cols(); ++j) dx_hat(t, j) *= norm.gamma.value[j];
  }
  out.add(name + ".dx_hat", "", "dx̂ = γ ⊙ " + dy_symbol, "§3.1", kLayerNormBackward,
          std::move(dx_hat), rows);
}

Tensor product(const ConstMatrixView& A, const ConstMatrixView& B) {
  Tensor C = Tensor::uninitialised({A.rows, B.cols});
  matmul(A, B, C);
  return C;
}

Gradient back_add_and_norm(
    TraceRecorder& out, const AddAndNorm& around, const Gradient& dy, const Labels& rows,
    const std::function<Tensor(const Gradient& df, const Tensor& u)>& sublayer) {
  const std::string norm_stage = around.stage + ", Add & Norm";
  const bool post = around.residual.placement == NormPlacement::post;
  if (post) {
    out.stage = norm_stage;
    add_dx_hat(out, around.name, around.residual.norm, dy.value, dy.symbol, rows);
  }
  Tensor dx = around.residual.backward(
      dy.value, around.x, around.cache, [&](const Tensor& df, const Tensor& u) {
        if (post) {
          out.add(around.name + ".dsum", "", text("ds = ", kNormFormula), "§3.1",
                  kLayerNormBackward, df, rows);
        }
        out.stage = around.stage;
        Tensor du = sublayer({df, post ? "ds" : dy.symbol}, u);
        out.stage = norm_stage;
        if (!post) add_dx_hat(out, around.name, around.residual.norm, du, "du", rows);
        return du;
      });
  const std::string formula = post ? "ds + du" : text(dy.symbol, " + ", kNormFormula);
  out.add(around.dx_name, "", around.dx_symbol + " = " + formula, "§3.1", kResidualBackward, dx,
          rows);
  return {std::move(dx), around.dx_symbol};
}

Tensor back_feed_forward(TraceRecorder& out, const std::string& name, FeedForward& layer,
                         const FeedForward::Cache& cache, const Gradient& dy, const Tensor& x,
                         const Labels& rows) {
  Tensor da = layer.outer.backward(dy.value, cache.hidden);
  out.add(name + ".dhidden", "", "dmax(0, a) = " + dy.symbol + " W₂ᵀ", "§3.3", kLinearBackward, da,
          rows);
  kernels().vector_relu_backward(da.elements(), cache.hidden.data(), da.data());
  out.add(name + ".dinner", "", "da = dmax(0, a) where a > 0, else 0", "§3.3", kFeedForwardBackward,
          da, rows);
  Tensor dx = layer.inner.backward(da, x);
  out.add(name + ".dx", "", "du = da W₁ᵀ", "§3.3", kLinearBackward, dx, rows);
  return dx;
}

namespace {

void back_head(TraceRecorder& out, const std::string& name, const MultiHeadAttention& layer,
               const MultiHeadAttention::Cache& cache, const Reads& reads, Index head,
               const ConstMatrixView& dO, const MatrixView& dQ, const MatrixView& dK,
               const MatrixView& dV) {
  const Index m = cache.Q.rows(), n = cache.K.rows(), d_k = layer.d_k, d_v = layer.d_v;
  const ConstMatrixView Q = block(cache.Q, 0, m, head * d_k, d_k);
  const ConstMatrixView K = block(cache.K, 0, n, head * d_k, d_k);
  const ConstMatrixView V = block(cache.V, 0, n, head * d_v, d_v);
  const ConstMatrixView P(cache.P.data() + head * m * n, m, n, n);
  attention_backward(dO, Q, K, V, P, {reads.mask, {}, 0}, dQ, dK, dV);

  // What attention_backward writes dS over.
  Tensor dP = product(dO, transposed(V));
  Tensor dA = dP, dS = dP;
  softmax_backward(P, 1, reads.mask, dA);
  softmax_backward(P, score_scale(layer), reads.mask, dS);

  out.head = head;
  const std::string section = "§3.2.1, eq. (1)";
  out.add(name + ".dO", "outputs", "dO, this head's part of dConcat", "§3.2.2",
          kMultiHeadAttentionBackward, copy_of(dO), reads.queries);
  out.add(name + ".dV", "values", "dV = Pᵀ dO", section, kAttentionBackward, copy_of(dV),
          reads.keys);
  out.add(name + ".dP", "weights", "dP = dO Vᵀ", section, kAttentionBackward, std::move(dP),
          reads.queries, reads.keys);
  out.add(name + ".dA", "masked", "dA = P ⊙ (dP − rowsum(P ⊙ dP))", section, kSoftmaxBackward,
          std::move(dA), reads.queries, reads.keys);
  out.add(name + ".dS", "scores", "dS = dA/√d_k", section, kSoftmaxBackward, std::move(dS),
          reads.queries, reads.keys);
  out.add(name + ".dQ", "queries", "dQ = dS K", section, kAttentionBackward, copy_of(dQ),
          reads.queries);
  out.add(name + ".dK", "keys", "dK = dSᵀ Q", section, kAttentionBackward, copy_of(dK), reads.keys);
  out.head = -1;
}

}  // namespace

Tensor back_attention(TraceRecorder& out, const std::string& name, MultiHeadAttention& layer,
                      const MultiHeadAttention::Cache& cache, const Gradient& dy,
                      const Reads& reads, Tensor& dmemory) {
  const Index m = cache.Q.rows(), n = cache.K.rows(), d_k = layer.d_k, d_v = layer.d_v;
  const Tensor dconcat = layer.output.backward(dy.value, cache.concat);
  out.add(name + ".dconcat", "", "dConcat = " + dy.symbol + " W^Oᵀ", "§3.2.2", kLinearBackward,
          dconcat, reads.queries);
  Tensor dQ = Tensor::uninitialised(cache.Q.shape());
  Tensor dK = Tensor::uninitialised(cache.K.shape());
  Tensor dV = Tensor::uninitialised(cache.V.shape());
  for (Index i = 0; i < layer.heads; ++i) {
    back_head(out, name + ".heads." + std::to_string(i), layer, cache, reads, i,
              block(dconcat, 0, m, i * d_v, d_v), block(dQ, 0, m, i * d_k, d_k),
              block(dK, 0, n, i * d_k, d_k), block(dV, 0, n, i * d_v, d_v));
  }

  const std::string& u = reads.memory_symbol;
  layer.key.backward_add(dK, reads.memory, dmemory);
  out.add(name + ".d" + u + "_K", "", "d" + u + " through K = dK W^Kᵀ", "§3.2.2",
          kLinearBackwardAdd, product(dK, transposed(layer.key.weight.value)), reads.keys);
  layer.value.backward_add(dV, reads.memory, dmemory);
  out.add(name + ".d" + u + "_V", "", "d" + u + " through V = dV W^Vᵀ", "§3.2.2",
          kLinearBackwardAdd, product(dV, transposed(layer.value.weight.value)), reads.keys);
  Tensor dx = layer.query.backward(dQ, reads.x);
  out.add(name + ".du_Q", "", "du through Q = dQ W^Qᵀ", "§3.2.2", kLinearBackward, dx,
          reads.queries);
  return dx;
}

Tensor back_self_attention(TraceRecorder& out, const std::string& name, MultiHeadAttention& layer,
                           const MultiHeadAttention::Cache& cache, const Gradient& dy,
                           const Tensor& u, Mask mask, const Labels& rows) {
  Tensor du = Tensor::zeros(u.shape());
  const Tensor through_queries =
      back_attention(out, name, layer, cache, dy, {u, u, mask, rows, rows, "u"}, du);
  add(through_queries, du);
  out.add(name + ".dx", "", "du = the sum of these three", "§3.2.3", kSelfAttentionBackward, du,
          rows);
  return du;
}

}  // namespace attn::app
