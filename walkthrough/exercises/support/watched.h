// A matrix that is watched while it is read and written. A small cache is simulated: it holds
// `lines` lines of 8 numbers each, and drops the line that was not used for longest. A number whose
// line is not there is a miss, and would have to come from memory.
#pragma once

#include <list>

#include "support/exercise.h"

class Cache {
 public:
  explicit Cache(std::size_t lines) : lines_(lines) {}
  void touch(Index address) {
    const Index line = address / 8;
    const auto found = std::find(recent_.begin(), recent_.end(), line);
    if (found != recent_.end()) {
      recent_.splice(recent_.begin(), recent_, found);
      return;
    }
    ++misses;
    recent_.push_front(line);
    if (recent_.size() > lines_) recent_.pop_back();
  }
  Index misses = 0;

 private:
  std::size_t lines_;
  std::list<Index> recent_;  // most recently used first
};

// A(i, j) reads or writes an element, as with a Tensor, and the cache sees it. An element that
// there is not is an error.
class WatchedMatrix {
 public:
  WatchedMatrix(Tensor values, Index address, Cache& cache)
      : numbers(std::move(values)), address_(address), cache_(cache) {}
  Index rows() const { return numbers.rows(); }
  Index cols() const { return numbers.cols(); }
  double& operator()(Index i, Index j) {
    ATTN_CHECK(i >= 0 && i < rows() && j >= 0 && j < cols(), "element (", i, ", ", j,
               ") of a matrix of ", rows(), " rows and ", cols(), " columns");
    cache_.touch(address_ + i * cols() + j);
    return numbers(i, j);
  }

  Tensor numbers;

 private:
  Index address_;
  Cache& cache_;
};
