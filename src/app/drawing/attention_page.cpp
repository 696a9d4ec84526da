// Each head is a heat map whose rows and columns are labelled with tokens: in full, or with one
// sign each where all of them are letters.
#include "app/drawing/attention_page.h"

#include <algorithm>

#include "app/drawing/chart.h"
#include "app/drawing/terminal.h"
#include "base/check.h"
#include "base/printing.h"

namespace attn {

namespace {

// "head 1"; nothing where there is only one.
std::string caption(const AttentionMaps& attention, const AttentionHead& head) {
  const bool has_heads = head.name.find(".heads.") != head.name.npos;
  return has_heads || attention.heads.size() > 1 ? text("head ", head.number) : "";
}

// <eos> and <bos> as one character each, as wide as the letters of copy and reverse.
Labels with_signs(Labels labels) {
  for (std::string& label : labels) {
    if (label == "<eos>") label = "⏎";
    if (label == "<bos>") label = "⇥";
  }
  return labels;
}

bool are_letters(const Labels& labels) {
  const Labels short_ones = with_signs(labels);
  return std::all_of(short_ones.begin(), short_ones.end(),
                     [](const std::string& label) { return display_width(label) == 1; });
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

}  // namespace

std::string attention_text(const TraceSubject& subject,
                           const std::vector<AttentionMaps>& attentions, std::size_t columns,
                           bool colour) {
  const char* const own = subject.translated ? " (the model's own translation)" : "";
  std::string result = wrapped(sentences(subject) + own, 0, 2, columns) + '\n';
  for (const AttentionMaps& attention : attentions) {
    result += '\n' + attention.title() + '\n';
    result += "  " + wrapped(row_meaning(attention), 2, 2, columns) + "\n\n";
    std::vector<TextMap> maps;
    for (const AttentionHead& head : attention.heads) {
      maps.push_back({caption(attention, head), heat_map(head.weights)});
    }
    const Labels& labels = attention.columns;
    result += heat_maps_text(attention.rows(), are_letters(labels) ? with_signs(labels) : labels,
                             maps, columns, colour);
  }
  return result + '\n' + heat_map_legend();
}

constexpr double kPageWidth = 880, kPageMargin = 28, kBetweenMaps = 26;
constexpr double kLetter = 7.3;  // the width of a character of class mono
constexpr double kTurned = 55;   // degrees, by which the names of the columns are turned

static double longest(const Labels& labels) {
  std::size_t most = 1;
  for (const std::string& label : labels) most = std::max(most, display_width(label));
  return kLetter * static_cast<double>(most);
}

// The maps of one attention below `y`; returns where they end.
static double draw_attention(Svg& svg, double y, const AttentionMaps& attention) {
  const Labels &rows = attention.rows(), &columns = attention.columns;
  const bool letters = are_letters(columns);
  const Labels names = letters ? with_signs(columns) : columns;
  const double m = static_cast<double>(rows.size()), n = static_cast<double>(columns.size());
  const double left = longest(rows) + 8, above = letters ? 14 : longest(columns) * 0.82 + 12;
  // Four heads in a line if cells of 11 pixels allow it, or else as many as fit.
  const double heads = std::min(static_cast<double>(attention.heads.size()), 4.0);
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
      draw_text(svg, at, rows[i], "mono end");
    }
    at = {area.x + cell / 2, area.y - 5};
    for (std::size_t j = 0; named && j < names.size(); ++j, at.x += cell) {
      if (letters) {
        draw_text(svg, at, names[j], "mono middle");
      } else {
        draw_turned_text(svg, {at.x + 3, at.y}, kTurned, names[j], "mono");
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
  draw_text(svg, {kPageMargin, 40}, sentences(subject), "large bold");
  double y = 52;
  for (const AttentionMaps& attention : attentions) y = draw_attention(svg, y, attention);
  svg.height = y + 4;
  return svg;
}

}  // namespace attn
