// The tree of chapter 6.1's invented model: what a beam of 2 keeps and drops, and greedy decoding's
// path.
#include <algorithm>
#include <set>

#include "examples/invented_model.h"
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr double kColumn = 120, kRow = 41, kLeft = 18, kTop = 92;
// Where the branches begin: behind the numbers below a word, and behind its letters.
constexpr double kNumbers = 83, kLetter = 11;

struct Painter {
  Svg svg;
  std::set<std::string> kept, greedy;  // beginnings
  int leaves = 0;

  // Draws a beginning's last word and all that follows it; returns its height.
  double draw(const std::string& beginning, const std::string& word, double p, int depth) {
    const auto tree = invented::tree();
    const double x = kLeft + depth * kColumn;
    const bool greedy_here = greedy.count(beginning) > 0;
    const bool kept_here = kept.count(beginning) > 0;

    const auto found = tree.find(beginning);
    std::vector<double> heights;
    if (found != tree.end() && word != "<eos>") {
      for (const invented::Next& next : found->second) {
        heights.push_back(
            draw(invented::joined(beginning, next.word), next.word, next.p, depth + 1));
      }
    }
    const double y =
        heights.empty() ? kTop + kRow * leaves++ : (heights.front() + heights.back()) / 2;
    for (std::size_t i = 0; i < heights.size(); ++i) {
      const std::string next = invented::joined(beginning, found->second[i].word);
      const double width = std::max(kNumbers, kLetter * static_cast<double>(word.size()));
      const Point from{x + width, y}, to{x + kColumn - 6, heights[i]};
      draw_line(svg, from, to, kept.count(next) > 0 ? "blue" : "thin muted");
      if (greedy.count(next) == 0) continue;
      draw_line(svg, {from.x, from.y + 5}, {to.x, to.y + 5}, "orange dashed");
    }

    const char* colour = kept_here ? "blue" : greedy_here ? "orange" : "muted";
    const bool finished = word == "<eos>" && kept_here;
    draw_text(svg, {x, y + 1}, finished ? word + " finished" : word,
              text(colour, kept_here || greedy_here ? " bold" : ""));
    if (depth == 0) return y;
    draw_text(svg, {x, y + 16},
              text(short_number(p), "→", short_number(invented::probability(beginning), 4)),
              "mono muted");
    return y;
  }
};

}  // namespace

Svg beam_search_tree() {
  Painter painter;
  painter.svg = {
      880, 700, "Beam search on an invented tree",
      "A tree of words that grows to the right. Greedy decoding follows Jane is visiting "
      "Africa to an end of probability 0.1008. A beam of 2 keeps Jane visits too, and "
      "finishes Jane visits Africa, of probability 0.162, and Jane visits Africa in "
      "September, of probability 0.1404. What it does not continue is grey.",
      ""};
  // Two outputs are wanted, so that both that the beam of 2 finishes are shown.
  const invented::Search beam = invented::search(2, 0.6, 8, 2),
                         greedy = invented::search(1, 0.6, 8);
  for (const auto& step : beam.live) painter.kept.insert(step.begin(), step.end());
  for (const std::string& output : beam.found) painter.kept.insert(output + " <eos>");
  for (const auto& step : greedy.live) painter.greedy.insert(step.begin(), step.end());
  painter.greedy.insert(greedy.found[0] + " <eos>");

  Svg& svg = painter.svg;
  draw_text(svg, {kLeft, 34}, "Beam search on an invented model", "large bold");
  draw_text(svg, {kLeft, 58}, "p of the word → P of all words so far", "small muted");
  const double x = 470;
  draw_line(svg, {x, 30}, {x + 30, 30}, "blue");
  draw_text(svg, {x + 38, 34}, "kept by a beam of 2", "small");
  draw_line(svg, {x, 54}, {x + 30, 54}, "orange dashed");
  draw_text(svg, {x + 38, 58}, "greedy", "small");
  draw_line(svg, {x + 200, 30}, {x + 230, 30}, "thin muted");
  draw_text(svg, {x + 238, 34}, "not continued", "small");
  painter.draw("", "<bos>", 1, 0);
  return svg;
}

}  // namespace attn::walkthrough
