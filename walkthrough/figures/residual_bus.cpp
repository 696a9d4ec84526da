// The reversing model whose weights are set by hand (chapter 3.5.1): one row of its decoder as a
// bus of columns, which every sub-layer reads and adds to. All values are the model's own.
#include <cmath>

#include "examples/by_hand.h"
#include "figures.h"
#include "tasks/task.h"
#include "text/corpus.h"

namespace attn::walkthrough {

namespace {

constexpr double kHigh = 24;  // of a row
const Rect kWaves{24, 0, 176, kHigh}, kRuler{236, 0, 64, kHigh}, kLetters{336, 0, 145, kHigh},
    kWish{517, 0, 36, kHigh}, kOne{589, 0, 36, kHigh};

// What column c of row x holds, measured against our 0 and 1.
double reading(const Real* x, Index c) {
  const double zero = static_cast<double>(x[by_hand::kZero]);
  return (static_cast<double>(x[c]) - zero) / (static_cast<double>(x[by_hand::kOne]) - zero);
}

// Numbers as cells next to each other, blue if positive and orange if negative, the largest full.
void draw_cells(Svg& svg, const Rect& area, const std::vector<double>& values) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::fabs(value));
  draw_rect(svg, area, "paper area");
  HeatMap map{1, static_cast<int>(values.size()), values};
  for (double& number : map.weights) number /= largest;
  draw_signed_map(svg, area, map);
  draw_rect(svg, area, "line muted thin");
}

void draw_number(Svg& svg, const Rect& area, double value, int digits) {
  draw_rect(svg, area, "paper area");
  draw_rect(svg, area, "line muted thin");
  draw_text(svg, {area.middle(), area.centre() + 4}, with_minus(short_number(value, digits)),
            "mono middle");
}

Rect at(const Rect& lane, double y) {
  return {lane.x, y, lane.width, lane.height};
}

// One state of the row.
void draw_row(Svg& svg, double y, const Real* x) {
  std::vector<double> waves, letters;
  for (Index c = 0; c < 2 * by_hand::kFastPairs; ++c) waves.push_back(reading(x, c));
  std::size_t loudest = 0;
  for (int token = 0; token < by_hand::kTokens; ++token) {
    letters.push_back(reading(x, by_hand::column_of(token)));
    if (letters.back() > letters[loudest]) loudest = letters.size() - 1;
  }
  draw_cells(svg, at(kWaves, y), waves);
  draw_cells(svg, at(kLetters, y), letters);
  const double step = by_hand::frequency(by_hand::kRuler / 2) - by_hand::frequency(127);
  draw_number(svg, at(kRuler, y), reading(x, by_hand::kRuler) / step, 1);
  draw_number(svg, at(kWish, y), reading(x, by_hand::kWish), 0);
  draw_number(svg, at(kOne, y), reading(x, by_hand::kOne), 0);
  const double cell = kLetters.width / by_hand::kTokens;
  const std::string name = find_task("reverse").tokenizer.decode({static_cast<int>(loudest)});
  draw_text(svg, {kLetters.x + (static_cast<double>(loudest) + 0.5) * cell, y + kHigh + 15}, name,
            "mono bold middle halo");
}

// A sub-layer between two rows: it reads some lanes of the row above and adds to one of the row
// below.
void draw_sublayer(Svg& svg, double y, const std::vector<std::string>& lines,
                   const std::vector<Rect>& reads, const Rect& writes) {
  const Rect box{660, y - 38, 204, 76};
  for (const Rect& lane : reads) {
    draw_circle(svg, {lane.middle(), y - 18}, 4, "area green");
    draw_line(svg, {lane.middle(), y - 18}, {box.x, y - 18}, "line green thin");
  }
  draw_arrow(svg, {{box.x, y + 18}, {writes.middle() + 12, y + 18}}, "line orange");
  draw_circle(svg, {writes.middle(), y + 18}, 10, "paper area");
  draw_circle(svg, {writes.middle(), y + 18}, 10, "line orange");
  draw_text(svg, {writes.middle(), y + 23}, "+", "orange bold middle");
  draw_box(svg, box, lines, "muted");
}

}  // namespace

Svg residual_bus() {
  Svg svg{880, 616, "A row of the reversing model as a bus",
          "Five groups of columns as lanes from top to bottom: fast waves, ruler, tokens, wish, "
          "and our 0 and 1. Four states of the row at t = 1, when hello is reversed. Attention "
          "over the source in layer 1 adds to the ruler, which goes from 1 to −4. The "
          "feed-forward network reads the ruler and adds to the waves, which become those of "
          "position 4. Attention over the source in layer 2 reads the waves and adds to the "
          "tokens: the letter o stays, and l is twice as large.",
          ""};
  const Task task = find_task("reverse");
  const PackedIds source = packed(encode_source(task.tokenizer, "h e l l o"));
  Batch batch;
  batch.append(source.ids, encode_target(task.tokenizer, "o l l e h"));
  Transformer::Cache cache;
  const Transformer model = by_hand::reverse();
  model.forward(batch, DropoutMasks(), cache);
  const Index t = 1;
  const Real* const rows[] = {
      cache.decoder[0].self_residual.u.row(t), cache.decoder[0].ffn_residual.u.row(t),
      cache.decoder[1].self_residual.u.row(t), cache.decoder[1].ffn_residual.u.row(t)};

  const struct {
    Rect lane;
    const char *name, *pairs;
  } lanes[] = {{kWaves, "fast waves", "pairs 0–15"},
               {kRuler, "ruler", "96"},
               {kLetters, "tokens", "97–125"},
               {kWish, "wish", "126"},
               {kOne, "0, 1", "127"}};
  constexpr double kTop = 80, kEvery = 152;
  for (const auto& [lane, name, pairs] : lanes) {
    draw_text(svg, {lane.middle(), 44}, name, "bold middle");
    draw_text(svg, {lane.middle(), 64}, pairs, "small muted middle");
    draw_line(svg, {lane.middle(), kTop}, {lane.middle(), kTop + 3 * kEvery + kHigh + 16},
              "line grid thick");
  }
  draw_text(svg, {660, 56}, "decoder, t = 1", "bold");
  draw_text(svg, {660, 76}, "It has written and now reads o.", "small");
  const double gap = (kEvery + kHigh) / 2;
  draw_sublayer(svg, kTop + gap,
                {"attention over source", "layer 1: at <eos>, the", "ruler is 5; adds −5"}, {kOne},
                kRuler);
  draw_sublayer(svg, kTop + kEvery + gap,
                {"feed-forward", "layer 1: the waves of 4,", "100 times as loud"}, {kRuler, kOne},
                kWaves);
  draw_sublayer(svg, kTop + 2 * kEvery + gap,
                {"attention over source", "layer 2: looks at 4 − 1,", "adds its letter twice"},
                {kWaves, kWish}, kLetters);
  for (int i = 0; i < 4; ++i) draw_row(svg, kTop + kEvery * i, rows[i]);
  draw_text(svg, {660, kTop + 3 * kEvery + 16}, "The loudest token is l.", "small");
  draw_circle(svg, {30, 600}, 4, "area green");
  draw_text(svg, {42, 605}, "reads", "small muted");
  draw_circle(svg, {108, 600}, 7, "line orange");
  draw_text(svg, {108, 604}, "+", "small orange bold middle");
  draw_text(svg, {122, 605}, "adds, through the residual connection", "small muted");
  draw_rect(svg, {424, 593, 14, 14}, "area blue");
  draw_text(svg, {446, 605}, "positive", "small muted");
  draw_rect(svg, {524, 593, 14, 14}, "area orange");
  draw_text(svg, {546, 605}, "negative", "small muted");
  return svg;
}

}  // namespace attn::walkthrough
