// Chapter 3.4: one matrix in three places, and what returns from each.
#include <cmath>

#include "figures.h"
#include "trace/subject.h"

namespace attn::walkthrough {

namespace {

constexpr double kTop = 66, kRow = 25, kColumn = 28, kLeft = 112, kShade = 0.7;

// The tiny model's E.
void draw_matrix(Svg& svg, const Tensor& E, const Tokenizer& tokenizer) {
  HeatMap map = heat_map(E);
  for (double& number : map.weights) number *= kShade;
  const Rect area{kLeft, kTop, map.cols * kColumn, map.rows * kRow};
  draw_text(svg, {area.middle(), kTop - 20}, "E [V, d_{model}]", "middle bold");
  draw_signed_map(svg, area, map, "green", "purple");
  draw_grid(svg, area, map.rows, map.cols, "muted thin");
  for (int v = 0; v < map.rows; ++v) {
    draw_text(svg, {kLeft - 10, kTop + (v + 0.5) * kRow + 5}, tokenizer.token(v), "small end");
  }
}

// What the colours of the cells mean.
void draw_legend(Svg& svg, double y) {
  const double values[] = {-1, -0.5, 0, 0.5, 1};
  const char* const names[] = {"−1", "−½", "0", "½", "1"};
  for (int i = 0; i < 5; ++i) {
    const Rect cell{kLeft + 64.0 * i, y, 20, 18};
    draw_heat_map(svg, cell, {1, 1, {kShade * std::fabs(values[i])}},
                  values[i] < 0 ? "purple" : "green");
    draw_grid(svg, cell, 1, 1, "muted thin");
    draw_text(svg, {cell.right() + 8, y + 14}, names[i], "small");
  }
}

struct Use {
  double y;
  const char *name, *shape, *forward, *backward;
};

void draw_use(Svg& svg, const Use& use) {
  constexpr double kFrom = kLeft + 4 * kColumn + 10, kTo = 500;
  draw_arrow(svg, {{kFrom, use.y - 8}, {kTo - 4, use.y - 8}}, "blue");
  draw_arrow(svg, {{kTo - 4, use.y + 8}, {kFrom, use.y + 8}}, "orange dashed");
  draw_text(svg, {(kFrom + kTo) / 2, use.y - 18}, use.forward, "middle small blue");
  draw_text(svg, {(kFrom + kTo) / 2, use.y + 28}, use.backward, "middle small orange");
  draw_box(svg, {kTo, use.y - 25, 150, 50}, {use.name, use.shape}, "muted");
}

}  // namespace

Svg tied_embedding() {
  Svg svg{
      880, 452, "One embedding matrix in three places",
      "The matrix E, a row for each token, its numbers from −1 to 1 as colours. Three arrows lead "
      "from it: rows times √d_model give "
      "e, which the encoder reads; rows times √d_model give g, which the decoder reads; and E "
      "transposed turns the decoder's output h into logits. Three gradients return to it: √d_model "
      "times de and dg, added to the rows that were read, and dlogits transposed times h, added "
      "to every row.",
      ""};
  const TrainedModel example = trace_example();
  example.model->visit_parameters([&](const std::string& name, Parameter& parameter) {
    if (name == "embedding.weight") draw_matrix(svg, parameter.value, example.tokenizer);
  });
  const Use uses[] = {
      {102, "e", "source words", "their rows × √d_{model}", "√d_{model} · de, to the rows read"},
      {212, "g", "target words", "their rows × √d_{model}", "√d_{model} · dg, to the rows read"},
      {322, "logits", "h E^{T}", "all rows, as they are", "dlogits^{T} h, to every row"}};
  for (const Use& use : uses) draw_use(svg, use);
  draw_box(svg, {730, 77, 120, 50}, {"encoder"}, "green");
  draw_box(svg, {730, 187, 120, 50}, {"decoder"}, "green");
  draw_arrow(svg, {{652, 102}, {728, 102}}, "blue");
  draw_arrow(svg, {{652, 212}, {728, 212}}, "blue");
  draw_arrow(svg, {{790, 129}, {790, 185}}, "blue");
  draw_text(svg, {802, 162}, "z", "italic");
  draw_arrow(svg, {{790, 239}, {790, 322}, {654, 322}}, "blue");
  draw_text(svg, {802, 290}, "h", "italic");
  draw_sample(svg, {kLeft, 398}, 32, "blue", "forward", "small blue");
  draw_sample(svg, {kLeft + 130, 398}, 32, "orange dashed", "backward: dE is the sum of the three",
              "small orange");
  draw_legend(svg, 418);
  return svg;
}

}  // namespace attn::walkthrough
