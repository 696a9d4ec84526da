// The numbers of appendix B: one small product, forward and backward, by the routine that all
// others use; sums whose order shows; how much arithmetic there is for each byte.
//
//     example-B NAME...     prints the matrices of these names: X W Y dY dX dW
//     example-B values      prints numbers as KEY = VALUE
//     example-B reads       how fast one thread reads an array again and again: its KiB, GB/s
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>

#include "base/clock.h"
#include "examples/matmul_traffic.h"
#include "kernels/kernels.h"
#include "kernels/matmul.h"
#include "support/random_tensors.h"
#include "tensor/matrix_view.h"

using namespace attn;

namespace {

std::map<std::string, Tensor> compute() {
  std::map<std::string, Tensor> x;
  // Five words, four numbers each, and a layer that makes three of them.
  x["X"] = test::tensor_of({5, 4}, {2, 0, 0, 1, 1, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 1, 0, 2});
  x["W"] = test::tensor_of({4, 3}, {1, 0, 2, 0, 1, 1, 3, 0, 0, 0, 2, 1});
  x["dY"] = test::tensor_of({5, 3}, {0, 0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 0, 0, 2});
  x["Y"] = Tensor::zeros({5, 3});
  x["dX"] = Tensor::zeros({5, 4});
  x["dW"] = Tensor::zeros({4, 3});
  matmul(x["X"], x["W"], x["Y"]);
  matmul(x["dY"], transposed(x["W"]), x["dX"]);
  matmul(transposed(x["X"]), x["dY"], x["dW"]);
  return x;
}

void print(const std::string& name, const Tensor& x) {
  std::printf("%s [%td, %td]\n", name.c_str(), x.rows(), x.cols());
  for (Index i = 0; i < x.rows(); ++i) {
    for (Index j = 0; j < x.cols(); ++j) std::printf("%4.0f", static_cast<double>(x(i, j)));
    std::printf("\n");
  }
}

void print_value(const char* key, double value) {
  std::printf("%s = %.9g\n", key, value);
}

void print_values() {
  // Float has 24 binary digits: beside 2^24 a 1 is lost, unless the 1s meet first.
  const Real large = 16777216, one = 1;
  print_value("order.large_first", static_cast<double>((large + one) + one));
  print_value("order.small_first", static_cast<double>((one + one) + large));

  // Floating-point operations for each byte that has to come, float being 4 bytes.
  for (const char* rung : {"matmul_naive", "matmul_reordered", "matmul_blocked", "matmul_simd"}) {
    print_value((std::string("intensity.") + rung).c_str(),
                walkthrough::operations_per_byte(rung, 1024));
  }
  print_value("intensity.blocked_c", 2.0 * 128 / 8);  // C once in and out for 128 steps of k
  for (const int n : {64, 256, 512, 1024, 2048}) {
    print_value(("intensity.once." + std::to_string(n)).c_str(), 2.0 * n * n * n / (12.0 * n * n));
  }
  print_value("intensity.row", 2.0 * 512 * 512 / (4.0 * (512 * 512 + 2 * 512)));

  // A tile of r rows by v vectors: registers, loads for each multiply-add.
  struct Shape {
    const char* name;
    int rows, vectors;
  };
  for (const Shape s : {Shape{"14x2", 14, 2}, Shape{"6x2", 6, 2}, Shape{"12x2", 12, 2},
                        Shape{"7x4", 7, 4}, Shape{"9x3", 9, 3}, Shape{"1x1", 1, 1}}) {
    const std::string key = std::string("tile.") + s.name;
    print_value((key + ".registers").c_str(), s.rows * s.vectors + s.vectors + 1);
    print_value((key + ".fma").c_str(), s.rows * s.vectors);
    print_value((key + ".loads").c_str(), s.rows + s.vectors);
    print_value((key + ".loads_per_fma").c_str(),
                static_cast<double>(s.rows + s.vectors) / (s.rows * s.vectors));
  }
}

// The fastest of many times; each reads 64 MiB at least.
void print_reads() {
  for (Index kib = 16; kib <= 256 * 1024; kib *= 4) {
    const Tensor x = Tensor::zeros({kib * 256});
    const Index passes = std::max<Index>(1, 64 * 1024 / kib);
    double seconds = 1e9;
    for (int sample = 0; sample < 20; ++sample) {
      const double start = now();
      Real sum = 0;
      for (Index i = 0; i < passes; ++i) sum += kernels().stream_sum(x.elements(), x.data());
      if (sum == 0) seconds = std::min(seconds, now() - start);  // the sum has to be made
    }
    std::printf("%td %.1f\n", kib, static_cast<double>(passes * kib) * 1024 / seconds / 1e9);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, Tensor> x = compute();
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "values") == 0) {
      print_values();
    } else if (std::strcmp(argv[i], "reads") == 0) {
      print_reads();
    } else if (x.count(argv[i]) != 0) {
      print(argv[i], x.at(argv[i]));
    } else {
      std::fprintf(stderr, "example-B: there is no %s\n", argv[i]);
      return 2;
    }
  }
  return 0;
}
