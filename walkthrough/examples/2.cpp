// The numbers of chapter 2: how far back the last output of a stack of convolutions sees.
//
//     example-2 reach     tokens that change the last output, found by changing each
//     example-2 values    the same as KEY = VALUE
#include <cstdio>
#include <string>
#include <vector>

#include "base/random.h"
#include "lab/predecessors/convolution.h"

using namespace attn;

namespace {

constexpr Index kTokens = 200, kWidth = 4;

void fill(Tensor& x, std::uint64_t stream) {
  const RandomStream random{1, stream};
  for (Index i = 0; i < x.elements(); ++i) {
    x[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
  }
}

// Causal convolutions of width 3, the i-th with dilation factor^i.
std::vector<Convolution> stack_of(Index layers, Index factor) {
  std::vector<Convolution> stack;
  Index dilation = 1;
  for (Index i = 0; i < layers; ++i) {
    stack.emplace_back(kWidth, kWidth, Window{3, true, dilation});
    fill(stack.back().taps.weight.value, static_cast<std::uint64_t>(i) + 1);
    dilation *= factor;
  }
  return stack;
}

std::vector<Real> last_output(const std::vector<Convolution>& stack, Tensor x) {
  for (const Convolution& layer : stack) x = layer.forward(x, {0, kTokens});
  return {x.row(kTokens - 1), x.row(kTokens - 1) + kWidth};
}

Index tokens_seen(const std::vector<Convolution>& stack) {
  Tensor x = Tensor::zeros({kTokens, kWidth});
  fill(x, 0);
  const std::vector<Real> before = last_output(stack, x);
  Index seen = 0;
  for (Index t = 0; t < kTokens; ++t) {
    Tensor changed = x;
    changed(t, 0) += 1;
    if (last_output(stack, changed) != before) ++seen;
  }
  return seen;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  if (what != "reach" && what != "values") {
    std::fprintf(stderr, "usage: example-2 reach|values\n");
    return 2;
  }
  if (what == "reach") std::printf("layers   contiguous   dilated 1, 2, 4, …\n");
  for (Index layers = 1; layers <= 6; ++layers) {
    const Index contiguous = tokens_seen(stack_of(layers, 1));
    const Index dilated = tokens_seen(stack_of(layers, 2));
    if (what == "reach") {
      std::printf("%6td   %10td   %19td\n", layers, contiguous, dilated);
    } else {
      std::printf("contiguous.%td = %td\ndilated.%td = %td\n", layers, contiguous, layers, dilated);
    }
  }
  return 0;
}
