// c = √m · softmax(d zᵀ) (z + e),  d = h W + b + g
#include "lab/predecessors/convs2s_attention.h"

#include <cmath>
#include <utility>

#include "base/parallel.h"
#include "kernels/kernels.h"
#include "layers/softmax.h"

namespace attn {

std::vector<AttendingRows> attending_sentences(const Offsets& target, const Offsets& source) {
  ATTN_CHECK_EQ(target.size(), source.size(), "sentences of target and source");
  std::vector<AttendingRows> rows;
  Index weights = 0;
  for (std::size_t b = 0; b + 1 < target.size(); ++b) {
    rows.push_back({target[b], target[b + 1], source[b], source[b + 1], weights});
    weights += (target[b + 1] - target[b]) * (source[b + 1] - source[b]);
  }
  return rows;
}

namespace {

// √m times n numbers.
void scale_by_length(const AttendingRows& at, const MatrixView& x) {
  const Real root = std::sqrt(static_cast<Real>(at.source_length()));
  for (Index i = 0; i < x.rows; ++i) kernels().vector_scale(x.cols, root, x.row(i));
}

Index weights_of(const std::vector<AttendingRows>& rows) {
  if (rows.empty()) return 0;
  const AttendingRows& last = rows.back();
  return last.weights + (last.end - last.begin) * last.source_length();
}

template <class Body>
void for_each_attending(const std::vector<AttendingRows>& rows, const Body& body) {
  parallel_for(static_cast<Index>(rows.size()),
               [&](Index i) { body(rows[static_cast<std::size_t>(i)]); });
}

}  // namespace

// N(0, 1/n) for sums of n terms, §3.5.
ConvS2SAttention::ConvS2SAttention(Index d_model) : query(d_model, d_model, true) {
  query.weight.start = Parameter::Start::normal;
  query.weight.scale = 1 / std::sqrt(static_cast<double>(d_model));
}

Tensor ConvS2SAttention::forward(const Tensor& h, const Tensor& g,
                                 const std::vector<AttendingRows>& rows, const Source& source,
                                 const Pass& pass, Cache& cache) const {
  // d = h W + b + g
  Tensor d = query.forward(h);
  add(g, d);
  pass.see("d", "d = h W + b + g", d);

  // P = softmax(d zᵀ),  c = √m · P v
  Tensor P = Tensor::uninitialised({weights_of(rows)});
  Tensor c = Tensor::uninitialised(h.shape());
  const auto weights = [&](const AttendingRows& at) {
    const Index m = at.source_length();
    return MatrixView(P.data() + at.weights, at.end - at.begin, m, m);
  };
  for_each_attending(rows, [&](const AttendingRows& at) {
    matmul(rows_of(std::as_const(d), at.begin, at.end),
           transposed(rows_of(source.z, at.source_begin, at.source_end)), weights(at));
    softmax(weights(at), 1, Mask::none);
    matmul(weights(at), rows_of(source.v, at.source_begin, at.source_end),
           rows_of(c, at.begin, at.end));
    scale_by_length(at, rows_of(c, at.begin, at.end));
  });
  if (pass.is_watched()) {
    for (const AttendingRows& at : rows) pass.see("P", "P = softmax(d zᵀ)", weights(at));
  }
  pass.see("c", "c = √m · P (z + e)", c);
  if (pass.keeps()) cache = {std::move(d), std::move(P)};
  return c;
}

Tensor ConvS2SAttention::backward(const Tensor& dc, const Tensor& h,
                                  const std::vector<AttendingRows>& rows, const Source& source,
                                  const Pass& pass, const Cache& cache, Tensor& dg, Tensor& dz,
                                  Tensor& dv) {
  Tensor dd = Tensor::uninitialised(dc.shape());  // [T, d_model]
  for_each_attending(rows, [&](const AttendingRows& at) {
    const Index n = at.end - at.begin, m = at.source_length();
    const ConstMatrixView P(cache.P.data() + at.weights, n, m, m);
    const ConstMatrixView z = rows_of(source.z, at.source_begin, at.source_end);
    const ConstMatrixView v = rows_of(source.v, at.source_begin, at.source_end);

    // c = √m · P v gives dv = √m · Pᵀ dc and dP = √m · dc vᵀ.
    Tensor scaled = copy_of(rows_of(dc, at.begin, at.end));
    scale_by_length(at, scaled);
    matmul(transposed(P), scaled, rows_of(dv, at.source_begin, at.source_end), Write::add);
    Tensor dP = Tensor::uninitialised({n, m});
    matmul(scaled, transposed(v), dP);

    // P = softmax(S) gives dS, written over dP; S = d zᵀ gives dd = dS z and dz = dSᵀ d.
    Tensor& dS = dP;
    softmax_backward(P, 1, Mask::none, dS);
    matmul(dS, z, rows_of(dd, at.begin, at.end));
    matmul(transposed(dS), rows_of(cache.d, at.begin, at.end),
           rows_of(dz, at.source_begin, at.source_end), Write::add);
  });
  pass.see("dd", "dd = dS z", dd);

  // d = h W + b + g
  add(dd, dg);
  return query.backward(dd, h);
}

}  // namespace attn
