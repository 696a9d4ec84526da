// Batches: one of the toy task reverse, as others pad it and as it is packed here, and a corpus cut
// by a budget of tokens.
#include <algorithm>
#include <sstream>

#include "base/format.h"
#include "figures.h"
#include "storage/atomic_file.h"
#include "tasks/task.h"

namespace attn::walkthrough {

Svg packed_batches() {
  const Batch batch = task_batch(find_task("reverse"), 1, 0, 512);
  std::vector<int> lengths;
  for (std::size_t b = 0; b + 1 < batch.source.offsets.size(); ++b) {
    lengths.push_back(static_cast<int>(batch.source.offsets[b + 1] - batch.source.offsets[b]));
  }
  const int longest = *std::max_element(lengths.begin(), lengths.end());
  const int B = static_cast<int>(lengths.size()), T = static_cast<int>(batch.source.tokens());
  const int all = B * longest;
  long scores = 0;
  for (const int n : lengths) scores += n * n;
  const long all_scores = static_cast<long>(B) * longest * longest;

  Svg svg{880, 420, "A batch padded and packed",
          text("Left, a batch of ", B, " sentences as rows of ", longest,
               " places, of which many are padding. Right, the same sentences back to back in ", T,
               " places, and none wasted."),
          ""};
  constexpr double kCell = 8;
  // Neighbouring sentences have different shades, so that one sees where each ends.
  const auto shade = [](int b) { return b % 2 == 0 ? 0.95 : 0.5; };
  HeatMap tokens{B, longest, std::vector<double>(all)};
  HeatMap padding = tokens;
  for (int b = 0; b < B; ++b) {
    for (int t = 0; t < longest; ++t) {
      const auto at = static_cast<std::size_t>(b * longest + t);
      (t < lengths[b] ? tokens : padding).weights[at] = t < lengths[b] ? shade(b) : 0.3;
    }
  }
  const int lines = (T + longest - 1) / longest;
  HeatMap packed{lines, longest, std::vector<double>(lines * longest)};
  for (int b = 0, at = 0; b < B; ++b) {
    for (int t = 0; t < lengths[b]; ++t) {
      packed.weights[at++] = shade(b);
    }
  }

  const Rect left{40, 80, longest * kCell, B * kCell};
  draw_text(svg, {left.x, 40}, "Padded", "large bold");
  draw_text(svg, {left.x, 62}, text("[B, longest] = [", B, ", ", longest, "]"), "small muted");
  draw_heat_map(svg, left, tokens, "blue");
  draw_heat_map(svg, left, padding, "orange");
  const Rect right{480, 80, longest * kCell, lines * kCell};
  draw_text(svg, {right.x, 40}, "Packed", "large bold");
  draw_text(svg, {right.x, 62}, text("[T] = [", T, "], here in lines of ", longest), "small muted");
  draw_heat_map(svg, right, packed, "blue");

  const double x = left.right() + 20, y = right.right() + 20;
  draw_text(svg, {x, 100}, text(all, " places"), "bold");
  draw_text(svg, {x, 122}, text(T, " tokens"), "blue bold");
  draw_text(svg, {x, 144}, text(all - T, " padding"), "orange bold");
  draw_text(svg, {x, 166}, text("(", short_number(100.0 * (all - T) / all, 0), " % wasted)"),
            "orange");
  draw_text(svg, {x, 206}, text(grouped(all_scores), " scores"), "bold");
  draw_text(svg, {x, 226}, "per head", "small muted");
  draw_text(svg, {y, 100}, text(T, " places"), "bold");
  draw_text(svg, {y, 122}, text(T, " tokens"), "blue bold");
  draw_text(svg, {y, 206}, text(scores, " scores"), "bold");
  draw_text(svg, {y, 226}, "per head", "small muted");
  return svg;
}

Svg token_budget(const std::string& measurements) {
  std::vector<int> lengths;  // with <eos>
  std::istringstream lines(read_file(measurements + "/../phrasebook/test.source"));
  for (std::string line; std::getline(lines, line);) {
    lengths.push_back(2 + static_cast<int>(std::count(line.begin(), line.end(), ' ')));
  }
  std::sort(lengths.begin(), lengths.end());
  constexpr int kBudget = 512;

  Svg svg{880, 320, "A corpus cut by a budget of tokens",
          text(lengths.size(), " sentences sorted by length, as bars, cut into batches of at most ",
               kBudget,
               " tokens: the first batches have many short sentences, the last few long "
               "ones."),
          ""};
  const double highest = lengths.back() + 2, count = static_cast<double>(lengths.size());
  const Axes axes = make_axes({60, 50, 790, 200}, 0, count, 0, highest);
  draw_axes(
      svg, axes,
      {ticks({0, 200, 400, 600, 800, 1000}), ticks({0, 5, 10, 15}), "sentence, sorted", "tokens"});
  std::size_t first = 0;
  int tokens = 0, batches = 0;
  for (std::size_t i = 0; i <= lengths.size(); ++i) {
    if (i < lengths.size() && tokens + lengths[i] <= kBudget) {
      tokens += lengths[i];
      continue;
    }
    // The batch [first, i), one bar for the sentences of each length.
    for (std::size_t begin = first; begin < i;) {
      std::size_t end = begin;
      while (end < i && lengths[end] == lengths[begin]) ++end;
      draw_bar(svg, axes, static_cast<double>(begin), static_cast<double>(end), 0, lengths[begin],
               batches % 2 == 0 ? "blue" : "orange");
      begin = end;
    }
    const Point middle = axes(static_cast<double>(first + i) / 2, lengths[i - 1]);
    draw_text(svg, {middle.x, middle.y - 6}, text(i - first), "small middle");
    ++batches;
    first = i;
    tokens = i < lengths.size() ? lengths[i] : 0;
  }
  draw_text(svg, {60, 308},
            text("The phrasebook's test sources, at most ", kBudget,
                 " tokens per batch. Numbers: sentences per batch."),
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
