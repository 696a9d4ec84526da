// x is (a block of) the latest value in whose memory its numbers are; or the latest with equal
// numbers; or its rows are rows of such.
#include "lab/trace/finder.h"

#include <algorithm>
#include <functional>
#include <utility>

namespace attn {

namespace {

// Whether block (row, col) of `whole` has the numbers of x.
bool same_numbers(const ConstMatrixView& x, const Tensor& whole, Index row, Index col) {
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      const Real number = whole(row + i, col + j);
      if (x(i, j) != number && (x(i, j) == x(i, j) || number == number)) return false;
    }
  }
  return true;
}

bool all_zero(const ConstMatrixView& x) {
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      if (x(i, j) != 0) return false;
    }
  }
  return true;
}

std::size_t hash_of(const ConstMatrixView& row) {
  std::size_t hash = static_cast<std::size_t>(row.cols);
  for (Index j = 0; j < row.cols; ++j) {
    // 0 and −0 are the same number.
    hash = hash * 1099511628211u ^ std::hash<Real>()(row(0, j) == 0 ? Real{0} : row(0, j));
  }
  return hash;
}

// Where x begins in a matrix that is at `memory`.
bool contains(const Real* memory, Index rows, Index cols, Index row_stride,
              const ConstMatrixView& x, Index& row, Index& col) {
  const bool vector = rows == 1 || x.rows == 1;
  if (x.data < memory || x.col_stride != 1 || (!vector && x.row_stride != row_stride)) return false;
  row = (x.data - memory) / row_stride;
  col = (x.data - memory) % row_stride;
  return row + x.rows <= rows && col + x.cols <= cols;
}

// x or xᵀ: as it lies in memory.
ConstMatrixView as_stored(const ConstMatrixView& x) {
  const bool turned = x.col_stride != 1 || (x.row_stride == 1 && x.rows > 1 && x.cols == 1);
  return turned ? transposed(x) : x;
}

void turn(TraceOperand& operand) {
  std::swap(operand.rows, operand.cols);
  for (TraceOperand::Block& block : operand.blocks) {
    std::swap(block.row, block.col);
    std::swap(block.rows, block.cols);
    block.transposed = !block.transposed;
  }
  operand.transposed = !operand.transposed;
}

bool overlap(const TraceOperand::Block& a, const TraceOperand::Block& b) {
  return a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
         b.col < a.col + a.cols;
}

TraceOperand whole_of(const std::string& value, const std::string& symbol, Index rows, Index cols,
                      Index value_row, Index value_col) {
  TraceOperand operand;
  operand.rows = rows;
  operand.cols = cols;
  operand.symbol = symbol;
  operand.blocks.push_back({0, 0, rows, cols, value, value_row, value_col});
  return operand;
}

}  // namespace

Finder::Finder(SequenceModel& model) {
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    parameters_.push_back({name, parameter.symbol, &parameter.value});
  });
}

void Finder::add(Known known) {
  for (Index t = 0; known.is_named() && t < known.numbers.rows(); ++t) {
    const ConstMatrixView row = rows_of(std::as_const(known.numbers), t, t + 1);
    if (!all_zero(row)) rows_.insert({hash_of(row), {all_.size(), t}});
  }
  all_.push_back(std::move(known));
}

bool Finder::find_parameter(const ConstMatrixView& x, TraceOperand& operand) const {
  for (const Weights& one : parameters_) {
    const Tensor& W = *one.value;
    Index row = 0, col = 0;
    if (x.data >= W.data() + W.elements() ||
        !contains(W.data(), W.rows(), W.cols(), W.cols(), x, row, col)) {
      continue;
    }
    operand = whole_of(one.name, one.symbol, x.rows, x.cols, row, col);
    if (x.cols < W.cols()) operand.symbol += "_i";
    return true;
  }
  return false;
}

const Finder::Known* Finder::unnamed(const ConstMatrixView& x, Index& row, Index& col) const {
  for (std::size_t i = all_.size(); i-- > 0;) {
    const Known& known = all_[i];
    const Tensor& numbers = known.numbers;
    if (!contains(known.memory, numbers.rows(), numbers.cols(), known.row_stride, x, row, col) ||
        !same_numbers(x, numbers, row, col)) {
      continue;
    }
    if (!known.is_named()) return &known;
    if (numbers.rows() == x.rows && numbers.cols() == x.cols) break;
  }
  // A copy, of all of it or of some of its rows.
  col = 0;
  for (std::size_t i = all_.size(); i-- > 0;) {
    const Tensor& numbers = all_[i].numbers;
    if (numbers.cols() != x.cols) continue;
    for (row = 0; row + x.rows <= numbers.rows(); ++row) {
      if (!same_numbers(x, numbers, row, 0)) continue;
      return all_[i].is_named() ? nullptr : &all_[i];
    }
  }
  return nullptr;
}

// A copy: all of a value, or else row by row, of the values of the same width.
void Finder::find_rows(const ConstMatrixView& x, TraceOperand& operand) const {
  bool complete = true;
  for (Index t = 0; t < x.rows; ++t) {
    const ConstMatrixView row(x.data + t * x.row_stride, 1, x.cols, x.row_stride);
    const Row* found = nullptr;
    const auto range = rows_.equal_range(hash_of(row));
    for (auto one = range.first; one != range.second; ++one) {
      const Row& candidate = one->second;
      const Tensor& numbers = all_[candidate.known].numbers;
      // The latest, but of values of as many rows the same row.
      const bool later = found == nullptr || candidate.known > found->known ||
                         (candidate.known == found->known && candidate.row == t);
      if (later && numbers.cols() == x.cols && same_numbers(row, numbers, candidate.row, 0)) {
        found = &candidate;
      }
    }
    if (found == nullptr) {
      complete = false;
      continue;
    }
    const Known& known = all_[found->known];
    const Index value_row = known.value_row + found->row;
    operand.symbol = known.symbol;
    TraceOperand::Block* const last = operand.blocks.empty() ? nullptr : &operand.blocks.back();
    if (last != nullptr && last->value == known.value &&
        last->value_row + last->rows == value_row && last->row + last->rows == t) {
      ++last->rows;
    } else {
      operand.blocks.push_back({t, 0, 1, x.cols, known.value, value_row, known.value_col});
    }
  }
  if (!complete) operand.numbers = copy_of(x);

  // Of neighbours: x_(t−1), if all rows are as far away.
  const auto shift = [](const TraceOperand::Block& block) { return block.value_row - block.row; };
  const Index first = operand.blocks.empty() ? 0 : shift(operand.blocks.front());
  if (x.rows == 1 || first == 0 ||
      !std::all_of(operand.blocks.begin(), operand.blocks.end(),
                   [&](const TraceOperand::Block& block) { return shift(block) == first; })) {
    return;
  }
  operand.symbol += first < 0 ? "_(t−" : "_(t+";
  operand.symbol += std::to_string(first < 0 ? -first : first) + ')';
}

TraceOperand Finder::find(const ConstMatrixView& given, bool copies) const {
  const ConstMatrixView x = as_stored(given);
  const bool turned = x.rows != given.rows || x.row_stride != given.row_stride;
  TraceOperand operand;
  const auto result = [&] {
    if (turned) turn(operand);
    return operand;
  };
  if (given.rows * given.cols == 0) return operand;
  if (find_parameter(x, operand)) return result();

  // In the memory of a value: all of it, or a block.
  for (std::size_t i = all_.size(); i-- > 0;) {
    const Known& known = all_[i];
    Index row = 0, col = 0;
    if (known.is_named() &&
        contains(known.memory, known.numbers.rows(), known.numbers.cols(), known.row_stride, x, row,
                 col) &&
        same_numbers(x, known.numbers, row, col)) {
      operand = whole_of(known.value, known.symbol, x.rows, x.cols, known.value_row + row,
                         known.value_col + col);
      if (x.cols < known.numbers.cols()) operand.symbol += "_i";
      return result();
    }
  }
  operand.rows = x.rows;
  operand.cols = x.cols;

  // Values that are blocks in the memory of x.
  Index covered = 0;
  for (std::size_t i = all_.size(); i-- > 0 && covered < x.rows * x.cols;) {
    const Known& known = all_[i];
    const Tensor& numbers = known.numbers;
    Index row = 0, col = 0;
    const ConstMatrixView part(known.memory, numbers.rows(), numbers.cols(), known.row_stride);
    if (!known.is_named() || !contains(x.data, x.rows, x.cols, x.row_stride, part, row, col) ||
        !same_numbers({x.data + row * x.row_stride + col, part.rows, part.cols, x.row_stride},
                      numbers, 0, 0)) {
      continue;
    }
    const TraceOperand::Block found{
        row, col, part.rows, part.cols, known.value, known.value_row, known.value_col};
    if (std::any_of(operand.blocks.begin(), operand.blocks.end(),
                    [&](const TraceOperand::Block& other) { return overlap(found, other); })) {
      continue;
    }
    operand.blocks.push_back(found);
    // "da" of da_i, da_f, da_o and da_g
    const std::string& symbol = known.symbol;
    operand.symbol = operand.symbol.empty() || operand.symbol == symbol
                         ? symbol
                         : symbol.substr(0, symbol.find('_'));
    covered += part.rows * part.cols;
  }
  if (covered == x.rows * x.cols) return result();

  operand.blocks.clear();
  operand.symbol.clear();
  if (!copies || all_zero(x)) {
    operand.numbers = copy_of(x);  // zeros are like any others
  } else {
    find_rows(x, operand);
  }
  return result();
}

}  // namespace attn
