// Sums of tensors, in orders that do not depend on the threads.
#include <vector>

#include "base/parallel.h"
#include "kernels/kernels.h"
#include "tensor/tensor.h"

namespace attn {

namespace {

// Elements of one range of a sum.
constexpr Index kSumRange = 1 << 15;
// Rows of one chunk of a sum over tokens.
constexpr Index kChunkRows = 64;

// sums += Σ over chunks of a chunk's sums, to which add_row(i, chunk's sums) adds row i.
template <class AddRow>
void add_in_chunks(const Tensor& x, Tensor& sums, AddRow add_row) {
  const Index n = x.cols(), chunks = (x.rows() + kChunkRows - 1) / kChunkRows;
  ATTN_CHECK_EQ(sums.elements(), n, "sums of columns of ", to_string(x.shape()));
  Tensor partial = Tensor::zeros({chunks, n});
  parallel_ranges(x.rows(), kChunkRows, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) add_row(i, partial.row(begin / kChunkRows));
  });
  for (Index i = 0; i < chunks; ++i) kernels().vector_add(n, partial.row(i), sums.data());
}

}  // namespace

void add(const Tensor& x, Tensor& y) {
  ATTN_CHECK(x.shape() == y.shape(), "cannot add ", to_string(x.shape()), " to ",
             to_string(y.shape()));
  constexpr Index kTask = 1 << 13;  // few elements, for the reason that tensor.cpp gives
  parallel_ranges(x.elements(), kTask, [&](Index begin, Index end) {
    kernels().vector_add(end - begin, x.data() + begin, y.data() + begin);
  });
}

bool is_finite(const Tensor& x) {
  // A number times zero is zero exactly if it is finite, and one NaN makes the whole sum NaN.
  Real sum = 0;
  for (Index i = 0; i < x.elements(); ++i) sum += x.data()[i] * Real{0};
  return sum == Real{0};
}

double sum_of_squares(const Tensor& x) {
  std::vector<double> partial((x.elements() + kSumRange - 1) / kSumRange);
  parallel_ranges(x.elements(), kSumRange, [&](Index begin, Index end) {
    partial[begin / kSumRange] = kernels().vector_sum_of_squares(end - begin, x.data() + begin);
  });
  double sum = 0;
  for (const double p : partial) sum += p;
  return sum;
}

void add_column_sums(const Tensor& x, Tensor& sums) {
  add_in_chunks(x, sums,
                [&](Index i, Real* partial) { kernels().vector_add(x.cols(), x.row(i), partial); });
}

void add_column_dots(const Tensor& x, const Tensor& y, Tensor& sums) {
  ATTN_CHECK(x.shape() == y.shape(), "cannot multiply ", to_string(x.shape()), " by ",
             to_string(y.shape()), " element by element");
  add_in_chunks(x, sums, [&](Index i, Real* partial) {
    kernels().vector_multiply_add(x.cols(), x.row(i), y.row(i), partial);
  });
}

}  // namespace attn
