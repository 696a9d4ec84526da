// logits = h W            dlogits = scale (p − q)
// dW += hᵀ dlogits        dh = dlogits Wᵀ            with W = Eᵀ if the matrix is shared
#include "layers/output_projection.h"

#include <algorithm>
#include <cmath>

namespace attn {

Index tokens_at_once(Index T, Index V) {
  return std::min(T, std::max<Index>(16, (Index{1} << 23) / V));
}

// N(0, 1/d_model): logits of unit scale at first, as with the shared matrix.
OutputProjection::OutputProjection(Index d_model, Index vocabulary)
    : weight({d_model, vocabulary}, Parameter::Start::normal, 1 / std::sqrt(to_double(d_model))) {}

ConstMatrixView OutputProjection::matrix(const Embedding& shared) const {
  if (weight.value.empty()) return transposed(shared.weight.value);
  return weight.value;
}

// Memory for the logits of some of h's rows at a time.
static Tensor room_for_logits(const Tensor& h, const ConstMatrixView& W,
                              const std::vector<int>& targets) {
  const Index T = h.rows(), V = W.cols;
  ATTN_CHECK(V > 0 && h.cols() == W.rows, "h ", to_string(h.shape()),
             " does not fit an output projection [", W.rows, ", ", V, "]");
  ATTN_CHECK_EQ(T, static_cast<Index>(targets.size()), "target tokens to read and to predict");
  return Tensor::uninitialised({tokens_at_once(T, V), V});
}

// The logits of the rows from `begin` on for which there is room. An observer sees them part by
// part.
static MatrixView logits_of_part(const Tensor& h, const ConstMatrixView& W, Index begin,
                                 Tensor& room, const Pass& pass) {
  const Index rows = std::min(h.rows() - begin, room.rows());
  const MatrixView logits = rows_of(room, 0, rows);
  matmul(rows_of(h, begin, begin + rows), W, logits);
  pass.see("logits", logits);
  return logits;
}

static void see_loss(const LossSums& sums, const Pass& pass) {
  const Real mean = static_cast<Real>(sums.mean_loss());
  pass.see("loss", ConstMatrixView(&mean, 1, 1, 1));
}

Tensor OutputProjection::logits(const Tensor& h, const Embedding& shared) const {
  const ConstMatrixView W = matrix(shared);
  Tensor logits = Tensor::uninitialised({h.rows(), W.cols});
  matmul(h, W, logits);
  return logits;
}

LossSums OutputProjection::loss(const Tensor& h, const Embedding& shared,
                                const std::vector<int>& targets, double epsilon,
                                const Pass& pass) const {
  const ConstMatrixView W = matrix(shared);
  Tensor room = room_for_logits(h, W, targets);
  LossSums sums;
  for (Index begin = 0; begin < h.rows(); begin += room.rows()) {
    const MatrixView logits = logits_of_part(h, W, begin, room, pass);
    sums += cross_entropy_forward(logits, targets.data() + begin, static_cast<Real>(epsilon), pass);
  }
  see_loss(sums, pass);
  return sums;
}

LossSums OutputProjection::loss_and_gradients(const Tensor& h, Embedding& shared,
                                              const std::vector<int>& targets, double epsilon,
                                              Real scale, const Pass& pass, Tensor& dh) {
  const bool is_shared = weight.value.empty();
  check_gradient(is_shared ? shared.weight : weight);
  const ConstMatrixView W = matrix(shared);
  Tensor room = room_for_logits(h, W, targets);
  dh = Tensor::uninitialised(h.shape());
  LossSums sums;
  for (Index begin = 0; begin < h.rows(); begin += room.rows()) {
    const MatrixView logits = logits_of_part(h, W, begin, room, pass);
    const ConstMatrixView h_part = rows_of(h, begin, begin + logits.rows);
    const MatrixView dh_part = rows_of(dh, begin, begin + logits.rows);
    // The logits become their gradient, which leads to the matrix and to h.
    sums += cross_entropy_backward(logits, targets.data() + begin, static_cast<Real>(epsilon),
                                   scale, pass);
    const ConstMatrixView dlogits = logits;
    if (is_shared) {
      matmul(transposed(dlogits), h_part, shared.weight.gradient, Write::add);
    } else {
      matmul(transposed(h_part), dlogits, weight.gradient, Write::add);
    }
    matmul(dlogits, transposed(W), dh_part);
    pass.see("dh", dh_part);
  }
  see_loss(sums, pass);
  return sums;
}

void OutputProjection::visit(const std::string& name, const ParameterVisitor& visitor) {
  if (!weight.value.empty()) visitor(name + ".weight", weight);
}

void visit_embeddings(Embedding& source, Embedding& target, OutputProjection& projection,
                      const ParameterVisitor& visitor) {
  const bool shared = target.weight.value.empty();
  source.visit(shared ? "embedding" : "source_embedding", visitor);
  if (!shared) target.visit("target_embedding", visitor);
  projection.visit("projection", visitor);
}

}  // namespace attn
