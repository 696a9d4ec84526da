// y = x W + b. Each row of x is one token; nothing here looks at two tokens at once, except the
// sums over tokens in dW and db.
#include "layers/linear.h"

#include "tensor/matrix_view.h"

namespace attn {

Linear::Linear(Index in, Index out, bool with_bias, double scale, const char* symbol)
    : weight({in, out}, Parameter::Start::glorot, scale, symbol) {
  if (with_bias) bias = Parameter({out}, Parameter::Start::zeros, 1, 'b' + weight.symbol.substr(1));
}

namespace {
Tensor affine(const Linear& layer, const Tensor& x, bool relu) {
  const Tensor& W = layer.weight.value;
  const Tensor& b = layer.bias.value;
  Tensor y = Tensor::uninitialised({x.rows(), W.cols()});  // [T, out]
  matmul(x, W, y, Epilogue{b.empty() ? nullptr : b.data(), relu});
  return y;
}

void accumulate_gradients(Linear& layer, const Tensor& dy, const Tensor& x, const Name& name) {
  check_gradient(layer.weight);
  add_matmul(transposed(x), dy, layer.weight.gradient, name.unnamed());
  if (!layer.bias.value.empty()) add_column_sums(dy, layer.bias.gradient, name.unnamed());
}
}  // namespace

Tensor Linear::forward(const Tensor& x, const Name& name) const {
  Tensor y = affine(*this, x, false);
  if (bias.value.empty()) {
    name.made(y, Operation::sum, times(x, weight.value));
  } else {
    name.made(y, Operation::sum, times(x, weight.value), bias.value);
  }
  return y;
}

Tensor Linear::forward_relu(const Tensor& x, const Name& a, const Name& name) const {
  Tensor y = affine(*this, x, true);
  if (name.is_watched()) name.made(y, Operation::relu, forward(x, a));
  return y;
}

Tensor Linear::backward(const Tensor& dy, const Tensor& x, const Name& name) {
  accumulate_gradients(*this, dy, x, name);
  Tensor dx = Tensor::uninitialised({dy.rows(), weight.value.rows()});  // [T, in]
  matmul(dy, transposed(weight.value), dx, name);
  return dx;
}

void Linear::backward_add(const Tensor& dy, const Tensor& x, Tensor& dx, const Name& name) {
  accumulate_gradients(*this, dy, x, name);
  add_matmul(dy, transposed(weight.value), dx, name);
}

void Linear::visit(const std::string& name, const ParameterVisitor& visitor) {
  visitor(name + ".weight", weight);
  if (!bias.value.empty()) visitor(name + ".bias", bias);
}

}  // namespace attn
