// The numbers of chapter 5.4: dropout and label smoothing, through the library's own functions.
//
//     example-5.4 mask       dropout of the row 1 2 3 … 8, forward and backward, from its words
//     example-5.4 floor      smoothed targets: the least loss, and what becomes of perplexity
//     example-5.4 values     all of it as NAME = VALUE
#include <cmath>
#include <cstdio>
#include <string>

#include "layers/cross_entropy.h"
#include "layers/dropout.h"

using namespace attn;

namespace {

constexpr double kP = 0.3;

double real(Real x) {
  return static_cast<double>(x);
}

void print_mask(bool values) {
  // The first place that drops, in pass 0 of a run with seed 1.
  DropoutMasks masks(1, 0);
  const DropoutMask mask = masks.next(kP);
  Tensor x = Tensor::zeros({8}), dy = Tensor::zeros({8});
  for (Index i = 0; i < 8; ++i) x[i] = static_cast<Real>(i + 1);
  dy.fill(1);
  const Tensor before = x;
  dropout(mask, x);
  dropout(mask, dy);
  if (!values) std::printf("index        word   share      x       y      dy      dx\n");
  for (Index i = 0; i < 8; ++i) {
    const std::uint32_t word =
        philox_word(mask.random.seed, mask.random.stream, static_cast<std::uint64_t>(i));
    if (values) {
      std::printf("share.%td = %.7g\ny.%td = %.7g\n", i, word * 0x1p-32, i, real(x[i]));
    } else {
      std::printf("%5td  %10u  %6.4f %6.0f %7.4f %7.0f %7.4f\n", i, word, word * 0x1p-32,
                  real(before[i]), real(x[i]), 1.0, real(dy[i]));
    }
  }
}

// The logits ln q are the best there are.
LossSums best(int V, double epsilon) {
  Tensor logits = Tensor::zeros({1, V});
  const double other = epsilon / V;
  for (Index v = 0; v < V; ++v) {
    logits[v] = static_cast<Real>(std::log(v == 0 ? 1 - epsilon + other : other));
  }
  const int target = 0;
  return cross_entropy_forward(logits, &target, static_cast<Real>(epsilon));
}

void print_floor(bool values) {
  if (!values)
    std::printf("    V   epsilon   least loss   perplexity there   logit above others\n");
  for (const int V : {12, 13, 29, 37000}) {
    for (const double epsilon : {0.1, 0.2}) {
      const LossSums sums = best(V, epsilon);
      const double above = std::log(1 + V * (1 - epsilon) / epsilon);
      if (values) {
        std::printf("floor.%d.%g = %.7g\nperplexity.%d.%g = %.7g\nabove.%d.%g = %.7g\n", V, epsilon,
                    sums.loss, V, epsilon, sums.perplexity(), V, epsilon, above);
      } else {
        std::printf("%5d   %7.1f   %10.4f   %16.4f   %18.2f\n", V, epsilon, sums.loss,
                    sums.perplexity(), above);
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  if (what == "mask") {
    print_mask(false);
  } else if (what == "floor") {
    print_floor(false);
  } else if (what == "values") {
    print_mask(true);
    print_floor(true);
  } else {
    std::fprintf(stderr, "usage: example-5.4 mask|floor|values\n");
    return 2;
  }
  return 0;
}
