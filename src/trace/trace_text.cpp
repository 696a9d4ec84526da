#include "trace/trace_text.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/printing.h"
#include "storage/safetensors.h"

namespace attn {

namespace {

constexpr std::size_t kGap = 2;  // blanks between columns
constexpr Index kMany = 32;      // more rows or columns than these are cut down to
constexpr Index kFew = 8;        // these

// Digits after the point that show every number exactly, if four are enough; if not, as many as
// show four digits of the largest number, and at least four.
int decimals_of(const Tensor& x) {
  double largest = 0;
  int exact = 0;
  for (Index i = 0; i < x.elements(); ++i) {
    const double number = static_cast<double>(x[i]);
    if (!std::isfinite(number)) continue;
    largest = std::max(largest, std::fabs(number));
    double scale = std::pow(10.0, exact);
    while (exact < 5 && number * scale != std::nearbyint(number * scale)) {
      scale = std::pow(10.0, ++exact);
    }
  }
  if (exact <= 4) return exact;
  return std::max(4, 3 - static_cast<int>(std::floor(std::log10(largest))));
}

// 0 is written "0" only if it is exactly 0, so that what a mask or max(0, ·) hides can be told from
// what is small.
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
  return i < 0 ? "…" : labels[static_cast<std::size_t>(i)];
}

// A table of cells, the first column to the left, the others to the right, folded to fit. All
// columns of numbers have one width.
std::string table_text(std::vector<std::vector<std::string>> cells) {
  std::size_t first = 0, width = 0;
  for (auto& row : cells) {
    row[0].insert(0, "  ");
    first = std::max(first, display_width(row[0]));
    for (std::size_t j = 1; j < row.size(); ++j) width = std::max(width, display_width(row[j]));
  }
  const std::size_t columns = cells[0].size();
  const std::size_t room = kTextColumns - std::min(first, kTextColumns);
  const std::size_t at_once = std::max<std::size_t>(1, room / (kGap + width));
  std::string result;
  for (std::size_t begin = 1; begin < columns; begin += at_once) {
    std::vector<std::vector<std::string>> part;
    for (const auto& row : cells) {
      part.push_back({row[0]});
      for (std::size_t j = begin; j < std::min(begin + at_once, columns); ++j) {
        part.back().push_back(right_aligned(row[j], width));
      }
    }
    result += (begin > 1 ? "\n" : "") + table(part);
  }
  return result;
}

}  // namespace

std::string value_text(const TraceValue& value, bool all) {
  std::string result =
      padded(value.name + "  " + to_string(value.data.shape()), 44) + "  " + value.formula + '\n';
  if (value.row != nullptr) result += "  " + value.section() + '\n';

  // A vector is written as one row, with its labels above it.
  const Labels none;
  const Labels& row_labels = value.is_vector() ? none : value.rows;
  const Labels& column_labels = value.is_vector() ? value.rows : value.columns;
  const int decimals = decimals_of(value.data);
  const std::vector<Index> columns = shown(value.data.cols(), all);
  std::vector<std::vector<std::string>> cells;
  if (!column_labels.empty()) {
    cells.emplace_back(1);
    for (const Index j : columns) cells.back().push_back(label(column_labels, j));
  }
  for (const Index i : shown(value.data.rows(), all)) {
    cells.push_back({label(row_labels, i)});
    for (const Index j : columns) {
      cells.back().push_back(i < 0 || j < 0 ? "…" : number_text(value.data(i, j), decimals));
    }
  }
  return result + table_text(cells);
}

// Settings are text; what reads as JSON by itself is taken for that.
static Json typed(const std::string& value) {
  if (value == "yes" || value == "no") return value == "yes";
  try {
    return parse_json(value, "setting");
  } catch (const Error&) {
    return value;
  }
}

Json settings_json(const Settings& settings) {
  Json result = Json::object();
  for (const auto& [name, value] : settings) result.add(name, typed(value));
  return result;
}

static Json row_json(const Real* row, Index n) {
  Json result = Json::array();
  for (Index j = 0; j < n; ++j) result.add(row[j]);
  return result;
}

Json rows_json(const Tensor& x) {
  Json rows = Json::array();
  for (Index i = 0; i < x.rows(); ++i) rows.add(row_json(x.row(i), x.cols()));
  return rows;
}

Json description_json(const TraceValue& value) {
  return Json::object({{"symbol", value.symbol},
                       {"formula", value.formula},
                       {"shape", sizes_json(value.data.shape())},
                       {"section", value.section()},
                       {"rows", texts_json(value.rows)},
                       {"columns", texts_json(value.columns)}});
}

Json value_json(const TraceValue& value) {
  const Tensor& x = value.data;
  Json json = description_json(value);
  json.add("data", value.is_vector() ? row_json(x.data(), x.elements()) : rows_json(x));
  return json;
}

Json subject_json(const TraceSubject& subject) {
  return Json::object({{"source", subject.source},
                       {"target", subject.target},
                       {"translated", subject.translated},
                       {"configuration", settings_json(subject.model->facts.settings)}});
}

Json trace_json(const TraceSubject& subject, const std::vector<TraceValue>& values) {
  Json result = Json::object({{"trace", subject_json(subject)}});
  for (const TraceValue& value : values) result.add(value.name, value_json(value));
  return result;
}

}  // namespace attn
