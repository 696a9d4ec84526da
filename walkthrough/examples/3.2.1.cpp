// The numbers of chapter 3.2.1: attention over the five words of "Jane visite l'Afrique en
// septembre", with queries, keys and values small enough for a pencil, through the library's own
// functions.
//
//     example-3.2.1 NAME...     prints the matrices of these names, one row per word; of NAME.3
//                               only the third row
//
// Names: Q K V S P O, and dO dV dP dA dQ dK of the backward pass; `causal` is P under a causal
// mask.
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "examples/five_words.h"
#include "layers/attention.h"

using namespace attn;
using namespace attn::walkthrough;

namespace {

std::map<std::string, Tensor> compute() {
  std::map<std::string, Tensor> x;
  x["Q"] = example_Q();
  x["K"] = example_K();
  x["V"] = example_V();
  x["dO"] = test::tensor_of({5, 3}, {0, 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0, 0});

  // Forward, with the scores kept aside, and once more under a causal mask.
  x["S"] = Tensor::zeros({kFiveWords, kFiveWords});
  matmul(x["Q"], transposed(x["K"]), x["S"]);
  x["P"] = x["causal"] = Tensor::zeros({kFiveWords, kFiveWords});
  x["O"] = Tensor::zeros({kFiveWords, 3});
  AttentionOptions causal;
  causal.mask = Mask::causal;
  attention_forward(x["Q"], x["K"], x["V"], causal, {}, x["causal"], x["O"]);
  attention_forward(x["Q"], x["K"], x["V"], {}, {}, x["P"], x["O"]);

  // Backward from dO, which is not 0 for the third word alone; dP and dA kept aside.
  x["dQ"] = x["dK"] = Tensor::zeros({kFiveWords, 4});
  x["dV"] = Tensor::zeros({kFiveWords, 3});
  attention_backward(x["dO"], x["Q"], x["K"], x["V"], x["P"], {}, {}, x["dQ"], x["dK"], x["dV"]);
  x["dP"] = Tensor::zeros({kFiveWords, kFiveWords});
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

// All rows, or only row number `only`, counted from 1.
void print(const std::string& name, const Tensor& x, Index only) {
  std::printf("%s [%td, %td]\n", name.c_str(), x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    if (only > 0 && i + 1 != only) continue;
    std::printf("  %-10s", kWords[i]);
    for (Index j = 0; j < x.cols(); ++j) {
      // Adding 0 turns -0 into 0.
      std::printf(whole(x) ? "%4.0f" : "%9.4f", static_cast<double>(x(i, j)) + 0.0);
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, Tensor> all = compute();
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    const std::size_t dot = name.find('.');
    const std::string matrix = name.substr(0, dot);
    if (all.count(matrix) == 1) {
      print(matrix, all.at(matrix), dot == name.npos ? 0 : std::stoi(name.substr(dot + 1)));
    } else {
      std::fprintf(stderr, "example-3.2.1: there is no matrix '%s'\n", argv[i]);
      return 2;
    }
  }
  return 0;
}
