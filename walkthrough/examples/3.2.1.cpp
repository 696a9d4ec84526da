// The numbers of chapter 3.2.1: attention over the five words of "Jane visite l'Afrique en
// septembre", with queries, keys and values small enough for a pencil, through the library's own
// functions.
//
//     example-3.2.1 NAME...     prints the matrices of these names, a row a word
//     example-3.2.1 values      prints every element as NAME.ROW.COLUMN = VALUE, counted from 1
//
//     example-3.2.1 picture     draws P: the darker, the larger the weight
//
// Names: Q K V S P O, and dO dV dP dA dQ dK of the backward pass; `causal` is P under a causal
// mask.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "layers/attention.h"

using namespace attn;

namespace {

const char* const kWords[] = {"Jane", "visite", "l'Afrique", "en", "septembre"};
constexpr Index kCount = 5;

Tensor matrix(Index cols, std::initializer_list<int> numbers) {
  Tensor x = Tensor::zeros({kCount, cols});
  Index i = 0;
  for (const int number : numbers) x[i++] = static_cast<Real>(number);
  return x;
}

std::map<std::string, Tensor> compute() {
  std::map<std::string, Tensor> x;
  x["Q"] = matrix(4, {2, 0, 0, 1, 1, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 1, 0, 2});
  x["K"] = matrix(4, {1, 0, 0, 1, 0, 2, 0, 1, 1, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 1});
  x["V"] = matrix(3, {1, 0, 0, 0, 4, 0, 2, 0, 1, 0, 0, 1, 0, 1, 3});
  x["dO"] = matrix(3, {0, 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0, 0});

  // Forward, with the scores kept aside, and once more under a causal mask.
  x["S"] = Tensor::zeros({kCount, kCount});
  matmul(x["Q"], transposed(x["K"]), x["S"]);
  x["P"] = x["causal"] = Tensor::zeros({kCount, kCount});
  x["O"] = Tensor::zeros({kCount, 3});
  AttentionOptions causal;
  causal.mask = Mask::causal;
  attention_forward(x["Q"], x["K"], x["V"], causal, {}, x["causal"], x["O"]);
  attention_forward(x["Q"], x["K"], x["V"], {}, {}, x["P"], x["O"]);

  // The exercise: dO is (0, 0, 1) for the first word, and 0 for the others.
  Tensor dO = Tensor::zeros({kCount, 3}), dK = x["K"], dV = x["V"];
  dO(0, 2) = 1;
  x["exercise_dQ"] = Tensor::zeros({kCount, 4});
  attention_backward(dO, x["Q"], x["K"], x["V"], x["P"], {}, {}, x["exercise_dQ"], dK, dV);
  x["exercise_dA"] = Tensor::zeros({kCount, kCount});
  matmul(dO, transposed(x["V"]), x["exercise_dA"]);
  softmax_backward(x["P"], 1, Mask::none, x["exercise_dA"]);

  // Backward from dO, which is not 0 for the third word alone; dP and dA kept aside.
  x["dQ"] = x["dK"] = Tensor::zeros({kCount, 4});
  x["dV"] = Tensor::zeros({kCount, 3});
  attention_backward(x["dO"], x["Q"], x["K"], x["V"], x["P"], {}, {}, x["dQ"], x["dK"], x["dV"]);
  x["dP"] = Tensor::zeros({kCount, kCount});
  matmul(x["dO"], transposed(x["V"]), x["dP"]);
  x["dA"] = x["dP"];
  softmax_backward(x["P"], 1, Mask::none, x["dA"]);
  return x;
}

bool whole(const Tensor& x) {
  for (Index i = 0; i < x.elements(); ++i) {
    if (x[i] != std::round(x[i])) return false;
  }
  return true;
}

void print(const std::string& name, const Tensor& x) {
  std::printf("%s [%td, %td]\n", name.c_str(), x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    std::printf("  %-10s", kWords[i]);
    for (Index j = 0; j < x.cols(); ++j) {
      // Adding 0 turns -0 into 0.
      std::printf(whole(x) ? "%4.0f" : "%9.4f", static_cast<double>(x(i, j)) + 0.0);
    }
    std::printf("\n");
  }
}

// One square a weight, from blank (below 0.1) to full (0.4 and above).
void draw(const Tensor& P) {
  const char* const shades[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  for (Index i = 0; i < P.rows(); ++i) {
    std::printf("  %-10s", kWords[i]);
    for (Index j = 0; j < P.cols(); ++j) {
      std::printf("%s", shades[std::min(4, static_cast<int>(P(i, j) * 10))]);
    }
    std::printf("\n");
  }
}

void print_values(const std::map<std::string, Tensor>& all) {
  for (const auto& [name, x] : all) {
    for (Index i = 0; i < x.rows(); ++i) {
      for (Index j = 0; j < x.cols(); ++j) {
        std::printf("%s.%td.%td = %.7g\n", name.c_str(), i + 1, j + 1,
                    static_cast<double>(x(i, j)) + 0.0);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, Tensor> all = compute();
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "values") {
      print_values(all);
    } else if (name == "picture") {
      draw(all.at("P"));
    } else if (all.count(name) == 1) {
      print(name, all.at(name));
    } else {
      std::fprintf(stderr, "example-3.2.1: there is no matrix '%s'\n", argv[i]);
      return 2;
    }
  }
  return 0;
}
