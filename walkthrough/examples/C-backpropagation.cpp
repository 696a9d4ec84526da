// The numbers of appendix C: a linear layer's gradients, small enough for a pencil, and the error
// of difference quotients.
//
//     example-C-backpropagation x W b y target dy dW db dx     prints these, a row a word
//     example-C-backpropagation values       every element as NAME.ROW.COLUMN = VALUE, counted from
//                                            1, and the loss
//     example-C-backpropagation nudge        the loss with W.1.1 moved up and down by h = 0.1
//     example-C-backpropagation quotients    relative errors of difference quotients, by h
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "examples/quotients.h"
#include "layers/linear.h"
#include "support/random_tensors.h"

using namespace attn;
using walkthrough::error_of_quotient;

namespace {

struct Example {
  Tensor x = test::tensor_of({3, 2}, {1, 2, 0, 1, 3, -1});
  Tensor target = test::tensor_of({3, 4}, {0, 3, 3, 5, 0, 2, -2, 3, 4, 0, 4, -7});
  Linear layer{2, 4, true};

  Example() {
    layer.weight.value = test::tensor_of({2, 4}, {1, 0, 2, -1, 0, 1, 1, 3});
    layer.bias.value = test::tensor_of({4}, {0, 1, -1, 0});
    layer.weight.gradient = Tensor::zeros({2, 4});
    layer.bias.gradient = Tensor::zeros({4});
  }

  // L = ½ Σ (y − target)², and its gradient with respect to y.
  Tensor difference() const {
    Tensor result = layer.forward(x);
    for (Index i = 0; i < result.elements(); ++i) result[i] -= target[i];
    return result;
  }
  double loss() const { return sum_of_squares(difference()) / 2; }
};

std::map<std::string, Tensor> compute() {
  Example example;
  std::map<std::string, Tensor> all;
  all["x"] = example.x;
  all["W"] = example.layer.weight.value;
  all["b"] = example.layer.bias.value;
  all["y"] = example.layer.forward(example.x);
  all["target"] = example.target;
  all["dy"] = example.difference();
  all["dx"] = example.layer.backward(all["dy"], example.x);
  all["dW"] = example.layer.weight.gradient;
  all["db"] = example.layer.bias.gradient;
  return all;
}

void print(const std::string& name, const Tensor& x) {
  std::printf("%s %s\n", name.c_str(), to_string(x.shape()).c_str());
  const char* const words[] = {"Jane", "visits", "Africa"};
  for (Index i = 0; i < x.rows(); ++i) {
    std::printf("  %-8s", x.rows() == 3 ? words[i] : "");
    // Adding 0 turns -0 into 0.
    for (Index j = 0; j < x.cols(); ++j) std::printf("%4.0f", static_cast<double>(x(i, j)) + 0.0);
    std::printf("\n");
  }
}

void print_values() {
  for (const auto& [name, x] : compute()) {
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        std::printf("%s.%td.%td = %g\n", name.c_str(), i + 1, j + 1,
                    static_cast<double>(x(i, j)) + 0.0);
      }
    }
  }
  std::printf("loss = %g\n", Example().loss());
}

void print_nudge() {
  const double h = 0.1, there = Example().loss();
  const auto loss_with = [](double change) {
    Example example;
    example.layer.weight.value[0] += static_cast<Real>(change);
    return example.loss();
  };
  const double above = loss_with(h), below = loss_with(-h);
  std::printf("above = %.5f\nbelow = %.5f\nforward = %.4f\ncentral = %.4f\n", above, below,
              (above - there) / h, (above - below) / (2 * h));
}

void print_quotients() {
  std::printf("     h    forward    central    central in float\n");
  for (int exponent = -1; exponent >= -12; --exponent) {
    const double h = std::stod("1e" + std::to_string(exponent));
    std::printf(" 1e%-4d   %7.0e    %7.0e    ", exponent, error_of_quotient<double>(h, false),
                error_of_quotient<double>(h, true));
    if (exponent >= -6) std::printf("%7.0e", error_of_quotient<float>(h, true));
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, Tensor> all = compute();
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "values") {
      print_values();
    } else if (name == "nudge") {
      print_nudge();
    } else if (name == "quotients") {
      print_quotients();
    } else if (all.count(name) == 1) {
      print(name, all.at(name));
    } else {
      std::fprintf(stderr, "example-C-backpropagation: there is no '%s'\n", argv[i]);
      return 2;
    }
  }
  return 0;
}
