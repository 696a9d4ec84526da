// The numbers of appendix A: where an element lives, seen through the library's own tensors and
// views. The element in row i and column j of the example is the number 10 i + j, so that a number
// says where it belongs.
//
//     example-A-tensor whole sentence head head-of-sentence transposed reshaped
//     example-A-tensor offsets     where elements of the views stand in memory: NAME.i.j = OFFSET
//     example-A-tensor padding     rows of the example's batch, packed and padded
//     example-A-tensor memory      what is asked of the system for tensors, step by step
#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

#include "tensor/matrix_view.h"
#include "tensor/packed.h"

using namespace attn;

namespace {

constexpr Index kTokens = 7, kWidth = 4;  // sentences of five words and of two

Tensor numbered(Index rows, Index cols) {
  Tensor x = Tensor::uninitialised({rows, cols});
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) x(i, j) = static_cast<Real>(10 * i + j);
  }
  return x;
}

void print(const char* name, const ConstMatrixView& view) {
  std::printf("%s [%td, %td]\n", name, view.rows, view.cols);
  for (Index i = 0; i < view.rows; ++i) {
    for (Index j = 0; j < view.cols; ++j) std::printf("%5.0f", static_cast<double>(view(i, j)));
    std::printf("\n");
  }
}

// How far from the beginning of the tensor each element of a view stands.
void print_offsets(const char* name, const Tensor& x, const ConstMatrixView& view) {
  for (Index i = 0; i < view.rows; ++i) {
    for (Index j = 0; j < view.cols; ++j) {
      std::printf("%s.%td.%td = %td\n", name, i, j, &view(i, j) - x.data());
    }
  }
}

void print_padding(const Offsets& offsets) {
  Index longest = 0;
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    longest = std::max(longest, offsets[b + 1] - offsets[b]);
  }
  const Index sentences = static_cast<Index>(offsets.size()) - 1;
  std::printf("packed rows = %td\npadded rows = %td\n", offsets.back(), sentences * longest);
}

// Two products, of which the second needs memory of the size that the first has given back.
void print_memory() {
  const Index before = tensor_allocations();
  const auto report = [&](const char* step) {
    std::printf("%s = %td\n", step, tensor_allocations() - before);
  };
  {
    const Tensor a = Tensor::zeros({100, 10}), b = Tensor::zeros({10, 100});
    Tensor c = Tensor::uninitialised({100, 100});
    matmul(a, b, c);
    report("first step");
  }
  {
    const Tensor a = Tensor::zeros({98, 10}), b = Tensor::zeros({10, 98});
    Tensor c = Tensor::uninitialised({98, 98});
    matmul(a, b, c);
    report("second step");
  }
  const Tensor larger = Tensor::zeros({200, 100});
  report("third step");
}

}  // namespace

int main(int argc, char** argv) {
  const Tensor x = numbered(kTokens, kWidth);
  PackedIds batch;
  batch.append({11, 12, 13, 14, 15});
  batch.append({11, 12});
  const Index begin = batch.offsets[1], end = batch.offsets[2];

  const ConstMatrixView sentence = rows_of(x, begin, end);
  const ConstMatrixView head = block(x, 0, kTokens, 2, 2);
  const ConstMatrixView both = block(x, begin, end, 2, 2);
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "whole") {
      print("x", x);
    } else if (name == "sentence") {
      print("second sentence", sentence);
    } else if (name == "head") {
      print("second head", head);
    } else if (name == "head-of-sentence") {
      print("second head of the second sentence", both);
    } else if (name == "transposed") {
      print("transposed", transposed(sentence));
    } else if (name == "reshaped") {
      Tensor copy = Tensor::uninitialised({2, kWidth});
      std::copy_n(x.row(begin), copy.elements(), copy.data());
      print("reshaped", std::move(copy).reshaped({kWidth, 2}));
    } else if (name == "offsets") {
      print_offsets("head", x, both);
      print_offsets("transposed", x, transposed(both));
      std::printf("row stride = %td\ncolumn stride = %td\n", both.row_stride, both.col_stride);
    } else if (name == "padding") {
      print_padding(batch.offsets);
    } else if (name == "memory") {
      print_memory();
    } else {
      std::fprintf(stderr, "example-A-tensor: there is no '%s'\n", argv[i]);
      return 2;
    }
  }
  return 0;
}
