#include "app/trace_value.h"

#include <algorithm>
#include <cmath>

#include "text/lines.h"

namespace attn::app {

std::string gradient_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "d" + name : name.substr(0, dot + 1) + "d" + name.substr(dot + 1);
}

Index layer_of(const std::string& name) {
  const std::vector<std::string> parts = split(name, '.');
  const bool in_stack = parts.size() > 2 && (parts[0] == "encoder" || parts[0] == "decoder");
  // "encoder.norm.x_hat" is after all layers.
  if (!in_stack || parts[1].find_first_not_of("0123456789") != std::string::npos) return -1;
  return std::stoi(parts[1]);
}

std::string layer_name(const std::string& stack, Index layer) {
  return stack + "." + std::to_string(layer);
}

Tensor copy_of(const ConstMatrixView& view) {
  Tensor result = Tensor::uninitialised({view.rows, view.cols});
  for (Index i = 0; i < view.rows; ++i) {
    for (Index j = 0; j < view.cols; ++j) result(i, j) = view(i, j);
  }
  return result;
}

Real score_scale(const MultiHeadAttention& layer) {
  return static_cast<Real>(1 / std::sqrt(static_cast<double>(layer.d_k)));
}

}  // namespace attn::app
