// PE(pos, 2i) = sin(pos/10000^(2i/d_model)),  PE(pos, 2i+1) = cos(pos/10000^(2i/d_model))
#include "layers/positional_encoding.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"

namespace attn {

namespace {
constexpr Index kTableRows = 256;

// PE(first), PE(first + 1), … to the last of these positions, once for all tokens at the same one:
// rows of the table or of the learned matrix or, after the table's end, computed. x: what they are
// added to, or whose gradient they receive.
Tensor position_rows(const PositionalEncoding& pe, const std::vector<Index>& at, Index first,
                     const Tensor& x) {
  const Index end = at.empty() ? first : *std::max_element(at.begin(), at.end()) + 1;
  const bool learned = pe.kind == Positions::learned;
  const Tensor& known = learned ? pe.weight.value : pe.table;
  ATTN_CHECK_EQ(x.cols(), known.cols(), "columns of x and of positional encodings");
  ATTN_CHECK(!learned || end <= known.rows(), "the sentence is longer than the ", known.rows(),
             " positions that the model has learned");
  Tensor rows = Tensor::uninitialised({end - first, known.cols()});
  for (Index pos = first; pos < end; ++pos) {
    Real* const row = rows.row(pos - first);
    if (pos < known.rows()) {
      std::copy_n(known.row(pos), known.cols(), row);
    } else {
      sinusoidal_encoding(pos, known.cols(), row);
    }
  }
  return rows;
}

// Whether this kind of positions is added to embeddings.
bool is_added(Positions kind) {
  return kind == Positions::sinusoidal || kind == Positions::learned;
}
}  // namespace

void sinusoidal_encoding(Index pos, Index d_model, Real* row) {
  for (Index i = 0; 2 * i < d_model; ++i) {
    const double exponent = to_double(2 * i) / to_double(d_model);
    const double angle = to_double(pos) / std::pow(10000.0, exponent);
    row[2 * i] = static_cast<Real>(std::sin(angle));
    if (2 * i + 1 < d_model) row[2 * i + 1] = static_cast<Real>(std::cos(angle));
  }
}

PositionalEncoding::PositionalEncoding(Positions kind_, Index max_positions, Index d_model)
    : kind(kind_) {
  if (!is_added(kind)) return;
  if (kind == Positions::learned) {
    // N(0, ½): as large as the sines and cosines it stands in for.
    weight = Parameter({max_positions, d_model}, Parameter::Start::normal, std::sqrt(0.5));
  } else {
    table = Tensor::uninitialised({kTableRows, d_model});
    for (Index pos = 0; pos < kTableRows; ++pos) sinusoidal_encoding(pos, d_model, table.row(pos));
  }
}

void PositionalEncoding::forward(Tensor& x, const Offsets& offsets, const Pass& pass) const {
  check_offsets(offsets, x.rows());
  if (!is_added(kind)) return;
  const std::vector<Index> at = positions_in(offsets);
  if (pass.is_watched()) {
    Tensor PE = Tensor::zeros(x.shape());
    forward_at(at, PE);
    pass.see("position", PE);
  }
  forward_at(at, x);
}

void PositionalEncoding::forward_at(const std::vector<Index>& at, Tensor& x) const {
  ATTN_CHECK_EQ(static_cast<Index>(at.size()), x.rows(), "positions and rows of x");
  if (!is_added(kind)) return;
  const Index first = at.empty() ? 0 : *std::min_element(at.begin(), at.end());
  ATTN_CHECK(first >= 0, "positions count from 0, and ", first, " is none");
  const Tensor PE = position_rows(*this, at, first, x);
  for (Index t = 0; t < x.rows(); ++t) {
    kernels().vector_add(x.cols(), PE.row(at[t] - first), x.row(t));
  }
}

void PositionalEncoding::backward(const Tensor& dx, const Offsets& offsets) {
  check_offsets(offsets, dx.rows());
  if (kind != Positions::learned) return;
  check_gradient(weight);
  const std::vector<Index> at = positions_in(offsets);
  position_rows(*this, at, 0, dx);  // refuses what does not fit
  for (Index t = 0; t < dx.rows(); ++t) {
    kernels().vector_add(dx.cols(), dx.row(t), weight.gradient.row(at[t]));
  }
}

void PositionalEncoding::visit(const std::string& name, const ParameterVisitor& visitor) {
  if (kind == Positions::learned) visitor(name + ".weight", weight);
}

}  // namespace attn
