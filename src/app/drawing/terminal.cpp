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

// The character of a weight; a space only for exactly 0: of what is masked, or too small for Real.
const char* shade(double weight) {
  ATTN_CHECK(!std::isnan(weight), "a heat map's weight is not a number");
  if (weight == 0) return " ";
  if (weight < 0.05) return "·";
  return weight < 0.25 ? "░" : weight < 0.5 ? "▒" : weight < 0.75 ? "▓" : "█";
}

std::string without_end(std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  return line + '\n';
}

// Some of the columns, and how wide each is drawn.
struct Columns {
  std::size_t begin, end, cell;
  std::size_t width() const { return (end - begin) * cell; }
};

std::string row_text(const HeatMap& map, std::size_t row, const Columns& shown, bool colour) {
  const double* weights = map.weights.data() + row * static_cast<std::size_t>(map.cols);
  const double largest = *std::max_element(weights, weights + map.cols);
  std::string result;
  for (std::size_t col = shown.begin; col < shown.end; ++col) {
    const std::string character = shade(weights[col]);
    if (colour) result += weights[col] == largest ? "\x1b[35m" : "\x1b[36m";  // purple, cyan
    // A dot is not doubled.
    result += shown.cell == 1 ? character : character == "·" ? " ·" : character + character;
    if (colour) result += "\x1b[0m";
  }
  return result;
}

// The names of the columns, each one line lower than the one before it:
//     Jane
//     │ visite
//     │ │ l'Afrique
// Single letters share a line, above each of the maps.
std::string column_names(const Strings& columns, const Columns& shown, std::size_t indent,
                         std::size_t maps, std::size_t stride, std::size_t text_columns) {
  const Strings names(columns.begin() + static_cast<std::ptrdiff_t>(shown.begin),
                      columns.begin() + static_cast<std::ptrdiff_t>(shown.end));
  const auto is_letter = [](const std::string& name) { return display_width(name) == 1; };
  std::string result, line(indent, ' ');
  if (std::all_of(names.begin(), names.end(), is_letter)) {
    std::string letters;
    for (const std::string& name : names) letters += padded(name, shown.cell);
    for (std::size_t m = 0; m < maps; ++m) line += padded(letters, stride);
    return without_end(line);
  }
  for (const std::string& name : names) {
    const std::size_t at = display_width(line),
                      room = text_columns > at + 2 ? text_columns - at : 2;
    result += without_end(line + shortened(name, std::min(room, kLongestName)));
    line += padded("│", shown.cell);
  }
  return result;
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
  const std::size_t indent = kIndent + names + 2;
  const std::size_t room = text_columns > indent + 8 ? text_columns - indent : 8;
  const std::size_t cell = 2 * columns.size() <= room ? 2 : 1;
  const std::size_t at_once = std::min(columns.size(), room / cell);
  std::string result;
  for (std::size_t begin = 0; begin < columns.size(); begin += at_once) {
    const Columns shown{begin, std::min(begin + at_once, columns.size()), cell};
    const std::size_t stride = std::max(shown.width(), caption) + kGap;
    const std::size_t side_by_side = std::max<std::size_t>((room + kGap) / stride, 1);
    for (std::size_t first = 0; first < maps.size(); first += side_by_side) {
      const std::size_t last = std::min(first + side_by_side, maps.size());
      if (!result.empty()) result += '\n';
      result += column_names(columns, shown, indent, last - first, stride, text_columns);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        std::string line =
            std::string(kIndent, ' ') + padded(shortened(rows[row], names), names) + "  ";
        for (std::size_t m = first; m < last; ++m) {
          line += row_text(maps[m].map, row, shown, colour);
          if (m + 1 < last) line += std::string(stride - shown.width(), ' ');
        }
        result += without_end(line);
      }
      std::string captions(indent, ' ');
      for (std::size_t m = first; m < last; ++m) captions += padded(maps[m].caption, stride);
      if (caption > 0) result += without_end(captions);
    }
  }
  return result;
}

std::string heat_map_legend() {
  return "· below 0.05   ░ to 0.25   ▒ to 0.5   ▓ to 0.75   █ more   (nothing: 0)\n";
}

}  // namespace attn
