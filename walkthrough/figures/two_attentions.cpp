// Chapter 2: who asks, and when, in Bahdanau's decoder and in Luong's.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr double kHeight = 46;

void draw_source(Svg& svg, double left) {
  for (int j = 0; j < 4; ++j) {
    draw_rect(svg, {left + j * 46.0, 60, 38, 34}, "box blue", 6);
    draw_text(svg, {left + j * 46.0 + 19, 82}, text("z_{", j + 1, "}"), "small middle");
  }
}

// The query's state, the source, and the attention that they meet in.
void draw_attention(Svg& svg, const Rect& box, double source) {
  draw_box(svg, box, {"attention", "scores, softmax, mean"}, "orange");
  draw_arrow(svg, {{source + 88, 96}, {source + 88, box.y - 2}}, "blue");
}

void draw_bahdanau(Svg& svg) {
  draw_text(svg, {30, 34}, "Bahdanau: the old state asks", "large bold");
  draw_source(svg, 150);
  const Rect attention{130, 150, 216, kHeight}, cell{130, 262, 216, kHeight};
  draw_attention(svg, attention, 150);
  draw_rect(svg, {24, 262, 62, kHeight}, "box green", 8);
  draw_text(svg, {55, 290}, "s_{t−1}", "middle");
  draw_arrow(svg, {{55, 260}, {55, 173}, {128, 173}}, "green thick");
  draw_text(svg, {30, 164}, "query", "small green");
  draw_arrow(svg, {{88, 285}, {128, 285}}, "green");
  draw_arrow(svg, {{238, 198}, {238, 260}}, "orange");
  draw_text(svg, {250, 234}, "context c_{t}", "small orange");
  draw_box(svg, cell, {"cell", "reads x_{t}, c_{t}, s_{t−1}"}, "green");
  draw_arrow(svg, {{238, 356}, {238, 310}}, "muted");
  draw_text(svg, {238, 374}, "x_{t}, the last word", "small middle");
  draw_arrow(svg, {{348, 285}, {404, 285}}, "green");
  draw_text(svg, {376, 276}, "s_{t}", "small middle");
  draw_text(svg, {30, 412}, "Each query waits for the step before it:", "small");
  draw_text(svg, {30, 432}, "attention runs step by step, one query at a time.", "small");
}

void draw_luong(Svg& svg) {
  draw_text(svg, {474, 34}, "Luong: the new state asks", "large bold");
  draw_source(svg, 660);
  const Rect attention{640, 150, 216, kHeight}, cell{548, 262, 150, kHeight};
  draw_attention(svg, attention, 660);
  draw_rect(svg, {464, 262, 56, kHeight}, "box green", 8);
  draw_text(svg, {492, 290}, "s_{t−1}", "middle");
  draw_arrow(svg, {{522, 285}, {546, 285}}, "green");
  draw_box(svg, cell, {"cell", "x_{t}, s_{t−1}"}, "green");
  draw_arrow(svg, {{623, 356}, {623, 310}}, "muted");
  draw_text(svg, {623, 374}, "x_{t}, the last word", "small middle");
  draw_arrow(svg, {{604, 260}, {604, 173}, {638, 173}}, "green thick");
  draw_text(svg, {556, 164}, "query s_{t}", "small green");
  draw_box(svg, {742, 262, 114, kHeight}, {"tanh", "[s_{t}; c_{t}] W_{c}"}, "purple");
  draw_arrow(svg, {{700, 285}, {740, 285}}, "green");
  draw_arrow(svg, {{800, 198}, {800, 260}}, "orange");
  draw_text(svg, {792, 234}, "context c_{t}", "small orange end");
  draw_arrow(svg, {{800, 310}, {800, 350}}, "purple");
  draw_text(svg, {800, 370}, "h̃_{t}", "small middle");
  draw_text(svg, {474, 412}, "The recurrence needs no context. Run it first; then all", "small");
  draw_text(svg, {474, 432}, "states can ask at once, as in the Transformer.", "small");
}

}  // namespace

Svg two_attentions() {
  Svg svg{880, 450, "Attention in Bahdanau's decoder and in Luong's",
          "Left, Bahdanau: the old state is the query; the context that attention finds goes into "
          "the cell, with the last word, and gives the new state. Right, Luong: the cell gives the "
          "new state first; that is the query, and state and context together give the output.",
          ""};
  draw_bahdanau(svg);
  draw_luong(svg);
  return svg;
}

}  // namespace attn::walkthrough
