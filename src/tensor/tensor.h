// Tensor: an owning block of numbers with a shape. Contiguous, row-major, rank 0 to 4, copied by
// value. Element (i, j) of a matrix [rows, cols] is number i * cols + j.
//
// The memory of destroyed tensors is kept and handed out again by size, so that a training step of
// sizes that have occurred before allocates nothing; with several threads, almost nothing.
#pragma once

#include <initializer_list>
#include <string>

#include "base/check.h"
#include "base/real.h"

namespace attn {

struct Shape {
  static constexpr int kMaxRank = 4;
  Index size[kMaxRank] = {0, 0, 0, 0};
  int rank = 0;

  Shape() = default;
  // Throws if there are more than four sizes, one is negative, or their product does not fit.
  Shape(std::initializer_list<Index> sizes);
  Shape(const Index* sizes, int count);

  // The product of the sizes; 0 for rank 0, the shape of an absent tensor.
  Index elements() const;
  bool operator==(const Shape& other) const;
  bool operator!=(const Shape& other) const { return !(*this == other); }
};

// "[3, 512]"
std::string to_string(const Shape& shape);

class Tensor {
 public:
  Tensor() = default;  // empty: rank 0, no elements
  static Tensor zeros(const Shape& shape);
  // Elements unspecified: to be written before they are read. NaN in checked builds.
  static Tensor uninitialised(const Shape& shape);

  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  const Shape& shape() const { return shape_; }
  Index elements() const { return elements_; }
  bool empty() const { return elements_ == 0; }
  // As a matrix: the last axis gives the columns, all others together the rows.
  Index cols() const { return shape_.rank == 0 ? 0 : shape_.size[shape_.rank - 1]; }
  Index rows() const {
    if (shape_.rank == 0) return 0;
    Index product = 1;
    for (int axis = 0; axis + 1 < shape_.rank; ++axis) product *= shape_.size[axis];
    return product;
  }

  Real* data() { return data_; }
  const Real* data() const { return data_; }
  Real* row(Index i) { return data_ + checked_row(i) * cols(); }
  const Real* row(Index i) const { return data_ + checked_row(i) * cols(); }

  Real& operator[](Index i) { return data_[checked(i)]; }
  Real operator[](Index i) const { return data_[checked(i)]; }
  Real& operator()(Index i, Index j) { return data_[checked(i, j)]; }
  Real operator()(Index i, Index j) const { return data_[checked(i, j)]; }

  void fill(Real value);
  // The same elements in the same order under another shape. Throws if the counts differ.
  Tensor reshaped(const Shape& shape) &&;

 private:
  explicit Tensor(const Shape& shape);
  Index checked(Index i) const {
#ifdef ATTENTION_CHECKED
    ATTN_CHECK(i >= 0 && i < elements_, "element ", i, " of a tensor of shape ", to_string(shape_));
#endif
    return i;
  }
  Index checked(Index i, Index j) const {
#ifdef ATTENTION_CHECKED
    ATTN_CHECK(i >= 0 && i < rows() && j >= 0 && j < cols(), "element (", i, ", ", j,
               ") of a tensor of shape ", to_string(shape_));
#endif
    return i * cols() + j;
  }
  // The row after the last is where the last one ends.
  Index checked_row(Index i) const {
#ifdef ATTENTION_CHECKED
    ATTN_CHECK(i >= 0 && i <= rows(), "row ", i, " of a tensor of shape ", to_string(shape_));
#endif
    return i;
  }

  Shape shape_;
  Index elements_ = 0;
  Real* data_ = nullptr;
};

// y += x, same shape.
void add(const Tensor& x, Tensor& y);
bool is_finite(const Tensor& x);
// Σ x², in double, summed in an order that does not depend on the number of threads.
double sum_of_squares(const Tensor& x);

// sums[j] += Σ_i x[i, j], and sums[j] += Σ_i x[i, j] y[i, j]: x and y as matrices [T, n], sums [n].
// The sums over tokens in every bias gradient, in chunks that do not depend on the threads.
void add_column_sums(const Tensor& x, Tensor& sums);
void add_column_dots(const Tensor& x, const Tensor& y, Tensor& sums);

// How many blocks of memory all tensors together have taken from the system.
Index tensor_allocations();

}  // namespace attn
