// Each head is a heat map labelled with tokens; in a terminal, dark characters are large weights.
#include "app/drawing/attention_page.h"

#include <algorithm>
#include <cmath>

#include "app/drawing/chart.h"
#include "app/terminal/printing.h"
#include "text/lines.h"

namespace attn {

namespace {

bool are_letters(const Labels& labels) {
  return std::all_of(labels.begin(), labels.end(),
                     [](const std::string& label) { return display_width(label) == 1; });
}

// The tokens; where all are letters, as in copy and reverse, <eos> and <bos> are one sign each.
Labels column_labels(const AttentionMaps& attention) {
  Labels signs = attention.columns;
  for (std::string& label : signs) {
    if (label == "<eos>") label = "⏎";
    if (label == "<bos>") label = "⇥";
  }
  return are_letters(signs) ? signs : attention.columns;
}

// "head 1"; nothing where there is only one.
std::string caption(const AttentionMaps& attention, const AttentionHead& head) {
  const bool has_heads = head.name.find(".heads.") != head.name.npos;
  return has_heads || attention.heads.size() > 1 ? text("head ", head.number) : "";
}

std::string sentences(const TraceSubject& subject) {
  return subject.source.empty() ? subject.target : text(subject.source, " → ", subject.target);
}

const char* row_meaning(const AttentionMaps& attention) {
  constexpr const char* kMeanings[] = {
      "row: a word of the source, and where it looks",
      "row: a word that was written, and where it looks",
      "row: a word being written, and where in the source the decoder looks",
      "row: a word that was read or written, and where it looks",
  };  // in the order of Attends
  return kMeanings[static_cast<std::size_t>(attention.attends)];
}

constexpr std::size_t kGap = 3, kIndent = 2;
constexpr std::size_t kLongestName = 16;

// The character of a weight; a space only for exactly 0: of what is masked, or too small for Real.
std::string shade(double weight) {
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

std::string row_text(const Tensor& weights, std::size_t row, const Columns& shown, bool colour) {
  const Real* const w = weights.row(row);
  const Real largest = *std::max_element(w, w + weights.cols());
  std::string result;
  for (std::size_t col = shown.begin; col < shown.end; ++col) {
    const std::string character = shade(w[col]);
    if (colour) result += w[col] == largest ? "\x1b[35m" : "\x1b[36m";  // purple, cyan
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
std::string names_text(const Labels& columns, const Columns& shown, std::size_t indent,
                       std::size_t maps, std::size_t stride, std::size_t terminal_columns) {
  const Labels names(columns.begin() + static_cast<std::ptrdiff_t>(shown.begin),
                     columns.begin() + static_cast<std::ptrdiff_t>(shown.end));
  std::string result, line(indent, ' ');
  if (are_letters(names)) {
    std::string letters;
    for (const std::string& name : names) letters += padded(name, shown.cell);
    for (std::size_t m = 0; m < maps; ++m) line += padded(letters, stride);
    return without_end(line);
  }
  for (const std::string& name : names) {
    const std::size_t at = display_width(line);
    const std::size_t room = terminal_columns > at + 2 ? terminal_columns - at : 2;
    result += without_end(line + shortened(name, std::min(room, kLongestName)));
    line += padded("│", shown.cell);
  }
  return result;
}

}  // namespace

std::string heads_text(const AttentionMaps& attention, std::size_t terminal_columns, bool colour) {
  const Labels &rows = attention.rows(), columns = column_labels(attention);
  const std::vector<AttentionHead>& heads = attention.heads;
  std::size_t names = 0, captions = 0;
  for (const std::string& row : rows) {
    names = std::max(names, std::min(display_width(row), kLongestName));
  }
  for (const AttentionHead& head : heads) {
    captions = std::max(captions, caption(attention, head).size());
  }

  // As wide as fits: two characters for a weight, then one, then as many columns as there is room.
  const std::size_t indent = kIndent + names + 2;
  const std::size_t room = terminal_columns > indent + 8 ? terminal_columns - indent : 8;
  const std::size_t cell = 2 * columns.size() <= room ? 2 : 1;
  const std::size_t at_once = std::min(columns.size(), room / cell);
  std::string result;
  for (std::size_t begin = 0; begin < columns.size(); begin += at_once) {
    const Columns shown{begin, std::min(begin + at_once, columns.size()), cell};
    const std::size_t stride = std::max(shown.width(), captions) + kGap;
    const std::size_t side_by_side = std::max<std::size_t>((room + kGap) / stride, 1);
    for (std::size_t first = 0; first < heads.size(); first += side_by_side) {
      const std::size_t last = std::min(first + side_by_side, heads.size());
      if (!result.empty()) result += '\n';
      result += names_text(columns, shown, indent, last - first, stride, terminal_columns);
      for (std::size_t row = 0; row < rows.size(); ++row) {
        std::string line =
            std::string(kIndent, ' ') + padded(shortened(rows[row], names), names) + "  ";
        for (std::size_t h = first; h < last; ++h) {
          line += row_text(heads[h].weights, row, shown, colour);
          if (h + 1 < last) line += std::string(stride - shown.width(), ' ');
        }
        result += without_end(line);
      }
      std::string line(indent, ' ');
      for (std::size_t h = first; h < last; ++h) {
        line += padded(caption(attention, heads[h]), stride);
      }
      if (captions > 0) result += without_end(line);
    }
  }
  return result;
}

std::string attention_text(const TraceSubject& subject,
                           const std::vector<AttentionMaps>& attentions,
                           std::size_t terminal_columns, bool colour) {
  const char* const own = subject.translated ? " (the model's own translation)" : "";
  std::string result = wrapped(sentences(subject) + own, 0, 2, terminal_columns) + '\n';
  for (const AttentionMaps& attention : attentions) {
    result += '\n' + attention.title() + '\n';
    result += "  " + wrapped(row_meaning(attention), 2, 2, terminal_columns) + "\n\n";
    result += heads_text(attention, terminal_columns, colour);
  }
  return result + "\n· below 0.05   ░ to 0.25   ▒ to 0.5   ▓ to 0.75   █ more   (nothing: 0)\n";
}

constexpr double kPageWidth = 880, kPageMargin = 28, kBetweenMaps = 26;
constexpr std::size_t kHeadline = 86;  // characters of class large in a line
constexpr double kLetter = 7.3;        // the width of a character of class mono
constexpr double kTurned = 55;         // degrees, by which the names of the columns are turned

static Labels shortened_names(Labels labels) {
  for (std::string& label : labels) label = shortened(label);
  return labels;
}

static double longest(const Labels& labels) {
  std::size_t most = 1;
  for (const std::string& label : labels) most = std::max(most, display_width(label));
  return kLetter * static_cast<double>(most);
}

// The maps of one attention below `y`; returns where they end.
static double draw_attention(Svg& svg, double y, const AttentionMaps& attention) {
  const Labels rows = shortened_names(attention.rows());
  const Labels columns = shortened_names(column_labels(attention));
  const bool letters = are_letters(columns);
  const double m = to_double(rows.size()), n = to_double(columns.size());
  const double left = longest(rows) + 8, above = letters ? 14 : longest(columns) * 0.82 + 12;
  // Four heads in a line if cells of 11 pixels allow it, or else as many as fit.
  const double heads = std::min(to_double(attention.heads.size()), 4.0);
  const double room = kPageWidth - 2 * kPageMargin;
  const double shared = ((room + kBetweenMaps) / heads - kBetweenMaps - left) / n;
  const double cell = std::min(22.0, shared >= 11 ? shared : (room - left) / n);
  const bool named = cell >= 10;  // names need that much
  // Names of columns lean to the right, beyond the last one.
  const double lean = letters || !named ? 0 : longest(columns) * 0.58;
  const double stride = std::max(left + n * cell + kBetweenMaps, left + (n - 1) * cell + lean + 10);
  const double height = above + m * cell + 34;

  draw_text(svg, {kPageMargin, y + 24}, attention.title(), "bold");
  draw_text(svg, {kPageMargin, y + 43}, row_meaning(attention), "small muted");
  y += 54;
  double x = kPageMargin;
  for (const AttentionHead& head : attention.heads) {
    if (x > kPageMargin && x + stride - kBetweenMaps > kPageWidth - kPageMargin / 2) {
      x = kPageMargin;
      y += height;
    }
    const Rect area{x + left, y + above, n * cell, m * cell};
    draw_heat_map(svg, area, heat_map(head.weights), "blue");
    draw_rect(svg, area, "line muted thin");
    Point at{area.x - 6, area.y + cell / 2 + 4};
    for (std::size_t i = 0; named && i < rows.size(); ++i, at.y += cell) {
      draw_words(svg, at, rows[i], "mono end");
    }
    at = {area.x + cell / 2, area.y - 5};
    for (std::size_t j = 0; named && j < columns.size(); ++j, at.x += cell) {
      if (letters) {
        draw_words(svg, at, columns[j], "mono middle");
      } else {
        draw_turned_text(svg, {at.x + 3, at.y}, kTurned, columns[j], "mono");
      }
    }
    draw_text(svg, {area.middle(), area.bottom() + 18}, caption(attention, head),
              "small bold middle");
    x += stride;
  }
  return y + height;
}

Svg attention_page(const TraceSubject& subject, const std::vector<AttentionMaps>& attentions) {
  Svg svg{kPageWidth, 0, "Where the model looks: " + sentences(subject),
          "A heat map for each head of each attention. Rows are the words that look, columns those "
          "that are looked at; the stronger the colour, the more weight.",
          ""};
  double y = 18;
  for (const std::string& line : split(wrapped(sentences(subject), 0, 0, kHeadline), '\n')) {
    y += 22;
    draw_words(svg, {kPageMargin, y}, line, "large bold");
  }
  y += 12;
  for (const AttentionMaps& attention : attentions) y = draw_attention(svg, y, attention);
  svg.height = y + 4;
  return svg;
}

}  // namespace attn
