// y = x W + b. Each row of x is one token; nothing here looks at two tokens at once, except the
// sums over tokens in dW and db.
#include "layers/linear.h"

#include "tensor/matrix_view.h"

namespace attn {

Linear::Linear(Index in, Index out, bool with_bias, double scale)
    : weight({in, out}, Parameter::Start::glorot, scale) {
  if (with_bias) bias = Parameter({out}, Parameter::Start::zeros);
}

namespace {
Tensor affine(const Linear& layer, const Tensor& x, bool relu) {
  const Tensor& W = layer.weight.value;
  Tensor y = Tensor::uninitialised({x.rows(), W.cols()});  // [T, out]
  matmul(x, W, y, Epilogue{layer.bias.value.data(), relu});
  return y;
}

void accumulate_gradients(Linear& layer, const Tensor& dy, const Tensor& x) {
  check_gradient(layer.weight);
  matmul(transposed(x), dy, layer.weight.gradient, Write::add);
  if (!layer.bias.value.empty()) add_column_sums(dy, layer.bias.gradient);
}
}  // namespace

Tensor Linear::forward(const Tensor& x) const {
  return affine(*this, x, false);
}

Tensor Linear::forward_relu(const Tensor& x) const {
  return affine(*this, x, true);
}

Tensor Linear::backward(const Tensor& dy, const Tensor& x) {
  accumulate_gradients(*this, dy, x);
  return input_gradient(dy);
}

void Linear::backward_add(const Tensor& dy, const Tensor& x, Tensor& dx) {
  accumulate_gradients(*this, dy, x);
  matmul(dy, transposed(weight.value), dx, Write::add);
}

Tensor Linear::input_gradient(const Tensor& dy) const {
  Tensor dx = Tensor::uninitialised({dy.rows(), weight.value.rows()});  // [T, in]
  matmul(dy, transposed(weight.value), dx);
  return dx;
}

void Linear::visit(const std::string& name, const ParameterVisitor& visitor) {
  visitor(name + ".weight", weight);
  if (!bias.value.empty()) visitor(name + ".bias", bias);
}

}  // namespace attn
