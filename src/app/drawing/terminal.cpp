// A weight is drawn as a character, the darker the larger it is.
#include "app/drawing/terminal.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/printing.h"

namespace attn {

namespace {

using Strings = std::vector<std::string>;

constexpr std::size_t kGap = 3, kIndent = 2;
constexpr std::size_t kLongestName = 16;
constexpr const char* kPurple = "\x1b[35m";
constexpr const char* kCyan = "\x1b[36m";
constexpr const char* kPlain = "\x1b[0m";

// The character of a weight; a space only for exactly 0, which comes from a mask.
const char* shade(double weight) {
  if (weight == 0) return " ";
  if (weight < 0.05) return "·";
  return weight < 0.25 ? "░" : weight < 0.5 ? "▒" : weight < 0.75 ? "▓" : "█";
}

std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

// Columns begin … end − 1 of a map, and how wide each is drawn.
struct Piece {
  std::size_t begin, end, cell;
  std::size_t width() const { return (end - begin) * cell; }
};

// A row of a map.
std::string row_text(const HeatMap& map, std::size_t row, const Piece& piece, bool colour) {
  const double* weights = map.weights.data() + row * static_cast<std::size_t>(map.cols);
  const auto largest =
      static_cast<std::size_t>(std::max_element(weights, weights + map.cols) - weights);
  std::string result;
  for (std::size_t col = piece.begin; col < piece.end; ++col) {
    const std::string character = shade(weights[col]);
    if (colour) result += col == largest ? kPurple : kCyan;
    // A dot is not doubled.
    result += piece.cell == 1 ? character : character == "·" ? " ·" : character + character;
    if (colour) result += kPlain;
  }
  return result;
}

// The names of the columns, each one line lower than the one before it:
//     Jane
//     │ visite
//     │ │ l'Afrique
// Single letters share a line.
std::string names_of_columns(const Strings& columns, const Piece& piece, std::size_t indent,
                             std::size_t maps, std::size_t stride, std::size_t text_columns) {
  const auto is_letter = [](const std::string& name) { return display_width(name) == 1; };
  const auto first = columns.begin() + static_cast<std::ptrdiff_t>(piece.begin);
  const auto last = columns.begin() + static_cast<std::ptrdiff_t>(piece.end);
  const std::string margin(indent, ' ');
  if (std::all_of(first, last, is_letter)) {
    std::string line = margin;
    for (std::size_t m = 0; m < maps; ++m) {
      std::string names;
      for (auto name = first; name != last; ++name) names += padded(*name, piece.cell);
      line += padded(names, stride);
    }
    return without_end(line);
  }
  std::string result, strokes = margin;
  std::size_t at = indent;
  for (auto name = first; name != last; ++name, at += piece.cell) {
    const std::size_t room = std::max<std::size_t>(text_columns - at, 2);
    result += without_end(strokes + shortened(*name, std::min(room, kLongestName)));
    strokes += padded("│", piece.cell);
  }
  return result;
}

// Maps first … last − 1 side by side.
std::string band(const Strings& rows, const Strings& columns, const std::vector<TextMap>& maps,
                 std::size_t first, std::size_t last, const Piece& piece, std::size_t names,
                 std::size_t stride, std::size_t text_columns, bool colour) {
  const std::size_t indent = kIndent + names + 2;
  std::string result = names_of_columns(columns, piece, indent, last - first, stride, text_columns);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    std::string line =
        std::string(kIndent, ' ') + padded(shortened(rows[row], names), names) + "  ";
    for (std::size_t m = first; m < last; ++m) {
      line += row_text(maps[m].map, row, piece, colour);
      if (m + 1 < last) line += std::string(stride - piece.width(), ' ');
    }
    result += without_end(line);
  }
  std::string captions(indent, ' ');
  for (std::size_t m = first; m < last; ++m) captions += padded(maps[m].caption, stride);
  return captions.find_first_not_of(' ') == captions.npos ? result : result + without_end(captions);
}

}  // namespace

std::string heat_maps_text(const Strings& rows, const Strings& columns,
                           const std::vector<TextMap>& maps, std::size_t text_columns,
                           bool colour) {
  std::size_t names = 0, caption = 0;
  for (const std::string& row : rows) {
    names = std::max(names, std::min(display_width(row), kLongestName));
  }
  for (const TextMap& map : maps) {
    ATTN_CHECK_EQ(static_cast<std::size_t>(map.map.rows), rows.size(), "names of a map's rows");
    ATTN_CHECK_EQ(static_cast<std::size_t>(map.map.cols), columns.size(),
                  "names of a map's columns");
    caption = std::max(caption, display_width(map.caption));
  }

  // As wide as fits: two characters for a weight, then one, then as many columns as there is room.
  const std::size_t used = kIndent + names + 2;
  const std::size_t room = text_columns > used + 8 ? text_columns - used : 8;
  const std::size_t cell = 2 * columns.size() <= room ? 2 : 1;
  const std::size_t at_once = std::min(columns.size(), room / cell);
  std::string result;
  for (std::size_t begin = 0; begin < columns.size(); begin += at_once) {
    const Piece piece{begin, std::min(begin + at_once, columns.size()), cell};
    const std::size_t stride = std::max(piece.width(), caption) + kGap;
    // As many as fit, or fewer: as many in the last band as in the others.
    const std::size_t most = std::max<std::size_t>((room + kGap) / stride, 1);
    const std::size_t bands = std::max<std::size_t>((maps.size() + most - 1) / most, 1);
    const std::size_t side_by_side = (maps.size() + bands - 1) / bands;
    for (std::size_t m = 0; m < maps.size(); m += side_by_side) {
      if (!result.empty()) result += '\n';
      result += band(rows, columns, maps, m, std::min(m + side_by_side, maps.size()), piece, names,
                     stride, text_columns, colour);
    }
  }
  return result;
}

std::string heat_map_legend() {
  return "· below 0.05   ░ to 0.25   ▒ to 0.5   ▓ to 0.75   █ more   (nothing: masked)\n";
}

std::string sparkline(const std::vector<double>& values, std::size_t width) {
  static const char* const kBlocks[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  if (values.empty()) return "";
  const std::size_t shown = std::min(values.size(), width);
  std::vector<double> means;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t begin = i * values.size() / shown, end = (i + 1) * values.size() / shown;
    double sum = 0;
    for (std::size_t j = begin; j < end; ++j) sum += values[j];
    means.push_back(sum / static_cast<double>(end - begin));
  }
  const auto [low, high] = std::minmax_element(means.begin(), means.end());
  std::string result;
  for (const double value : means) {
    const double part = *high > *low ? (value - *low) / (*high - *low) : 0;
    result += kBlocks[static_cast<std::size_t>(std::lround(part * 7))];
  }
  return result;
}

}  // namespace attn
