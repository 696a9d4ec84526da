// A program for double that is linked with the library for float: the linker must refuse it.
#include "tensor/tensor.h"

int main() {
  return static_cast<int>(attn::Tensor::zeros({1})[0]);
}
