// PE(pos, 2i) = sin(pos/10000^(2i/d_model)),  PE(pos, 2i+1) = cos(pos/10000^(2i/d_model))
#include "layers/positional_encoding.h"

#include <cmath>

#include "kernels/kernels.h"

namespace attn {

namespace {
constexpr Index kTableRows = 256;

// x += PE(pos)
void add_position(const PositionalEncoding& pe, Index pos, Tensor& x, Index t) {
  if (pe.kind == Positions::learned) {
    const Tensor& W = pe.weight.value;
    ATTN_CHECK(pos < W.rows(), "the sentence is longer than the ", W.rows(),
               " positions that the model has learned");
    kernels().vector_add(x.cols(), W.row(pos), x.row(t));
  } else if (pos < pe.table.rows()) {
    kernels().vector_add(x.cols(), pe.table.row(pos), x.row(t));
  } else {
    Tensor row = Tensor::uninitialised({x.cols()});
    sinusoidal_encoding(pos, x.cols(), row.data());
    kernels().vector_add(x.cols(), row.data(), x.row(t));
  }
}
}  // namespace

void sinusoidal_encoding(Index pos, Index d_model, Real* row) {
  for (Index i = 0; 2 * i < d_model; ++i) {
    const double exponent = static_cast<double>(2 * i) / static_cast<double>(d_model);
    const double angle = static_cast<double>(pos) / std::pow(10000.0, exponent);
    row[2 * i] = static_cast<Real>(std::sin(angle));
    if (2 * i + 1 < d_model) row[2 * i + 1] = static_cast<Real>(std::cos(angle));
  }
}

PositionalEncoding::PositionalEncoding(Positions kind_, Index max_positions, Index d_model)
    : kind(kind_) {
  if (kind == Positions::learned) {
    // N(0, ½): as large as the sines and cosines it stands in for.
    weight = Parameter({max_positions, d_model}, Parameter::Start::normal, std::sqrt(0.5));
  } else {
    table = Tensor::uninitialised({kTableRows, d_model});
    for (Index pos = 0; pos < kTableRows; ++pos) sinusoidal_encoding(pos, d_model, table.row(pos));
  }
}

void PositionalEncoding::forward(Tensor& x, const Offsets& offsets, const Pass& pass) const {
  pass.see("position", kind == Positions::learned ? "PE, learned" : "PE = sin, cos, sin, cos, …",
           [&] {
             Tensor PE = Tensor::zeros(x.shape());
             forward(PE, offsets);
             return PE;
           });
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) add_position(*this, t - offsets[b], x, t);
  }
}

void PositionalEncoding::forward_at(Index pos, Tensor& x) const {
  for (Index t = 0; t < x.rows(); ++t) add_position(*this, pos, x, t);
}

void PositionalEncoding::backward(const Tensor& dx, const Offsets& offsets) {
  if (kind != Positions::learned) return;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    for (Index t = offsets[b]; t < offsets[b + 1]; ++t) {
      kernels().vector_add(dx.cols(), dx.row(t), weight.gradient.row(t - offsets[b]));
    }
  }
}

void PositionalEncoding::visit(const std::string& name, const ParameterVisitor& visitor) {
  if (kind == Positions::learned) visitor(name + ".weight", weight);
}

}  // namespace attn
