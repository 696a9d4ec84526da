#include "app/drawing/value_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "app/terminal/printing.h"

namespace attn {

namespace {

constexpr Index kMany = 32;  // more rows or columns than these are cut down to
constexpr Index kFew = 8;    // these

// Digits after the point that show every number exactly, if four are enough; if not, as many as
// show four digits of the largest number, and at least four.
int decimals_of(const Tensor& x) {
  double largest = 0;
  int exact = 0;
  for (Index i = 0; i < x.elements(); ++i) {
    const double number = static_cast<double>(x[i]);
    if (!std::isfinite(number)) continue;
    largest = std::max(largest, std::fabs(number));
    for (; exact < 5; ++exact) {
      const double scaled = number * std::pow(10.0, exact);
      if (scaled == std::nearbyint(scaled)) break;
    }
  }
  if (exact <= 4) return exact;
  return std::max(4, 3 - static_cast<int>(std::floor(std::log10(largest))));
}

// "0" is exactly 0, so that what a mask or max(0, ·) hides differs from what is small.
std::string number_text(Real value, int decimals) {
  const double number = static_cast<double>(value);
  if (std::isnan(number)) return "NaN";
  if (std::isinf(number)) return number > 0 ? "∞" : "-∞";
  if (number == 0) return "0";
  if (decimals > 8 || std::fabs(number) >= 1e9) {
    char buffer[40];
    std::snprintf(buffer, sizeof buffer, "%.3e", number);
    return buffer;
  }
  std::string digits = fixed(number, decimals);
  const bool rounds_to_0 = digits.find_first_of("123456789") == digits.npos;
  if (digits[0] == '-' && rounds_to_0) digits.erase(0, 1);
  return digits;
}

// The rows (or columns) that are shown: their numbers, with −1 for a gap.
std::vector<Index> shown(Index count, bool all) {
  std::vector<Index> result;
  const bool cut = !all && count > kMany;
  for (Index i = 0; i < (cut ? kFew : count); ++i) result.push_back(i);
  if (cut) result.insert(result.end(), {-1, count - 1});
  return result;
}

std::string label(const Labels& labels, Index i) {
  if (labels.empty()) return "";
  return i < 0 ? "…" : labels[i];
}

using Cells = std::vector<std::vector<std::string>>;

// The first column flush left, the others, all of one width, flush right; folded to fit.
std::string folded(const Cells& cells) {
  std::size_t first = 0, width = 0;
  for (const auto& row : cells) {
    first = std::max(first, display_width(row[0]));
    for (std::size_t j = 1; j < row.size(); ++j) width = std::max(width, display_width(row[j]));
  }
  const std::size_t room = kTextColumns - std::min(first, kTextColumns);
  const std::size_t at_once = std::max<std::size_t>(1, room / (width + 2));
  std::string result;
  for (std::size_t begin = 1; begin < cells[0].size(); begin += at_once) {
    const std::size_t end = std::min(begin + at_once, cells[0].size());
    Cells part;
    for (const auto& row : cells) {
      part.push_back({row[0]});
      for (std::size_t j = begin; j < end; ++j) {
        part.back().push_back(right_aligned(row[j], width));
      }
    }
    result += (begin > 1 ? "\n" : "") + table(part);
  }
  return result;
}

}  // namespace

std::string value_text(const TraceValue& value, bool all) {
  const Tensor& x = value.data;
  std::string heading =
      padded(value.name + "  " + to_string(x.shape()), 44) + "  " + value.formula + '\n';
  if (value.row != nullptr) heading += "  " + value.section() + '\n';

  // A vector is written as one row, with its labels above it.
  const Labels none;
  const Labels& row_labels = value.is_vector() ? none : value.rows;
  const Labels& column_labels = value.is_vector() ? value.rows : value.columns;
  const int decimals = decimals_of(x);
  const std::vector<Index> columns = shown(x.cols(), all);
  Cells cells;
  if (!column_labels.empty()) {
    cells.push_back({"  "});
    for (const Index j : columns) cells.back().push_back(label(column_labels, j));
  }
  for (const Index i : shown(x.rows(), all)) {
    cells.push_back({"  " + label(row_labels, i)});
    for (const Index j : columns) {
      cells.back().push_back(i < 0 || j < 0 ? "…" : number_text(x(i, j), decimals));
    }
  }
  return heading + folded(cells);
}

}  // namespace attn
