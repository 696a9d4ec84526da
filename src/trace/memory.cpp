// cells_[address] = (value, element, number): true as long as the number is still there.
#include "trace/memory.h"

#include <cmath>
#include <utility>

namespace attn {

namespace {

std::string bytes_of(const ConstMatrixView& row) {
  const Tensor copy = copy_of(row);
  return {reinterpret_cast<const char*>(copy.data()),
          sizeof(Real) * static_cast<std::size_t>(copy.elements())};
}

bool all_zero(const ConstMatrixView& row) {
  for (Index j = 0; j < row.cols; ++j) {
    if (row(0, j) != 0) return false;
  }
  return true;
}

bool is_wanted(const TraceCell& cell, Memory::Among which) {
  return cell.value >= 0 || which == Memory::Among::all;
}

ConstMatrixView row_of(const ConstMatrixView& x, Index i) {
  return {&x(i, 0), 1, x.cols, x.row_stride, x.col_stride};
}

}  // namespace

void Memory::add(int value, Index at, const ConstMatrixView& numbers) {
  for (Index i = 0; i < numbers.rows; ++i) {
    const ConstMatrixView row = row_of(numbers, i);
    if (!all_zero(row)) rows_[bytes_of(row)].push_back({{value, at, 0}, i});
    for (Index j = 0; j < numbers.cols; ++j) cells_[&row(0, j)] = {value, at++, row(0, j)};
  }
}

void Memory::add_unnamed(Unnamed made, const ConstMatrixView& numbers) {
  add(-2 - static_cast<int>(unnamed_.size()), 0, numbers);
  unnamed_.push_back(std::move(made));
}

bool Memory::find_weight(const ConstMatrixView& x, TraceOperand& operand) const {
  for (const Weight& one : weights_) {
    const Index at = x.data - one.W->data();
    if (at < 0 || at >= one.W->elements()) continue;
    operand.cells = {{one.value, at, 0}};
    operand.row_step = x.row_stride;
    operand.col_step = x.col_stride;
    return true;
  }
  return false;
}

// A NaN is the same as itself.
static bool same_number(Real a, Real b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

Memory::Cells Memory::in_place(const ConstMatrixView& row, Among which) const {
  Cells cells;
  for (Index j = 0; j < row.cols; ++j) {
    const auto cell = cells_.find(&row(0, j));
    if (cell == cells_.end() || !is_wanted(cell->second, which) ||
        !same_number(cell->second.number, row(0, j))) {
      return {};
    }
    cells.push_back(cell->second);
  }
  return cells;
}

// The latest; of a matrix with several such rows, the one of the same number.
Memory::Cells Memory::copied(const ConstMatrixView& row, Index number, Among which) const {
  const auto same = rows_.find(bytes_of(row));
  const Row* found = nullptr;
  for (std::size_t i = same == rows_.end() ? 0 : same->second.size(); i-- > 0;) {
    const Row& one = same->second[i];
    if (!is_wanted(one.first, which)) continue;
    if (found != nullptr && found->first.value != one.first.value) break;
    if (found == nullptr || one.number == number) found = &one;
  }
  Cells cells;
  for (Index j = 0; found != nullptr && j < row.cols; ++j) {
    cells.push_back({found->first.value, found->first.at + j, row(0, j)});
  }
  return cells;
}

TraceOperand Memory::find(const ConstMatrixView& x, Among which) const {
  TraceOperand operand;
  operand.transposed = x.col_stride != 1 || (x.row_stride == 1 && x.rows > 1 && x.cols == 1);
  operand.rows = x.rows;
  operand.cols = x.cols;
  if (x.rows * x.cols == 0 || find_weight(x, operand)) return operand;
  if (operand.transposed) {
    const TraceOperand stored = find(transposed(x), which);
    for (Index i = 0; i < x.rows; ++i) {
      for (Index j = 0; j < x.cols; ++j) operand.cells.push_back(stored.at(j, i));
    }
    return operand;
  }
  // Zeros are like any others, except in the same value as a row that is not zero.
  std::vector<Cells> rows(static_cast<std::size_t>(x.rows));
  const TraceCell* like = nullptr;
  for (const bool zero : {false, true}) {
    for (Index i = 0; i < x.rows; ++i) {
      const ConstMatrixView row = row_of(x, i);
      Cells& cells = rows[static_cast<std::size_t>(i)];
      if (all_zero(row) != zero) continue;
      cells = in_place(row, which);
      if (zero && !cells.empty() && (like == nullptr || like->value != cells[0].value))
        cells.clear();
      if (!zero && cells.empty()) cells = copied(row, i, which);
      if (!zero && !cells.empty()) like = cells.data();
      for (Index j = 0; j < x.cols && static_cast<Index>(cells.size()) < x.cols; ++j) {
        cells.push_back({-1, 0, row(0, j)});
      }
    }
  }
  for (const Cells& cells : rows) {
    operand.cells.insert(operand.cells.end(), cells.begin(), cells.end());
  }
  return operand;
}

const Unnamed* Memory::whole_of(const ConstMatrixView& x, Recipe& block) const {
  const TraceOperand all = find(x, Among::all);
  if (all.cells.empty() || all.cells[0].value > -2) return nullptr;
  const TraceCell first = all.cells[0];
  const Unnamed& whole = unnamed_[static_cast<std::size_t>(-2 - first.value)];
  for (Index i = 0; i < x.rows; ++i) {
    for (Index j = 0; j < x.cols; ++j) {
      const TraceCell cell = all.at(i, j);
      if (cell.value != first.value || cell.at != first.at + i * whole.cols + j) return nullptr;
    }
  }
  block = whole.recipe.block(first.at / whole.cols, first.at % whole.cols, x.rows, x.cols);
  return &whole;
}

}  // namespace attn
