// Chapter 7: a decoder layer of the paper, and one of the decoder-only models that followed.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr double kWidth = 230, kHeight = 44;

struct Column {
  Svg& svg;
  double x;  // the boxes' left edge

  double middle() const { return x + kWidth / 2; }
  void box(double bottom, const std::vector<std::string>& lines, const char* colour) const {
    draw_box(svg, {x, bottom - kHeight, kWidth, kHeight}, lines, colour);
  }
  void up(double from, double to) const {
    draw_arrow(svg, {{middle(), from}, {middle(), to}}, "muted");
  }
  // A residual connection, around what is between two heights, to its end.
  void around(double from, Point end) const {
    draw_arrow(svg, {{middle(), from}, {x - 26, from}, {x - 26, end.y}, end}, "muted thin");
  }
};

void draw_paper(Svg& svg) {
  const Column at{svg, 90};
  draw_text(svg, {64, 34}, "The paper's decoder layer", "large bold");
  draw_text(svg, {64, 56}, "model/decoder_layer.cpp", "mono muted small");
  draw_text(svg, {at.middle(), 586}, "x + positions, from below", "middle small");
  const char* const names[] = {"masked self-attention", "attention over z", "feed-forward"};
  const char* const formulas[] = {"Q K V from x", "K V from the encoder", "max(0, x W_{1}) W_{2}"};
  for (int i = 0; i < 3; ++i) {
    const double bottom = 546 - i * 152;
    at.up(bottom + (i == 0 ? 22 : 40), bottom + 2);
    at.box(bottom, {names[i], formulas[i]}, i == 2 ? "blue" : "orange");
    at.up(bottom - kHeight - 2, bottom - 64);
    at.box(bottom - 66, {"Add & Norm"}, "purple");
    at.around(bottom + 14, {at.x - 2, bottom - 66 - kHeight / 2});
  }
  at.up(130, 108);
  draw_text(svg, {at.middle(), 98}, "y", "middle");
  draw_arrow(svg, {{at.x + kWidth + 62, 372}, {at.x + kWidth + 2, 372}}, "green");
  draw_text(svg, {at.x + kWidth + 68, 377}, "z", "green bold");
}

void draw_later(Svg& svg) {
  const Column at{svg, 560};
  draw_text(svg, {534, 34}, "A decoder-only layer of today", "large bold");
  draw_text(svg, {534, 56}, "in green: what is new", "small green");
  draw_text(svg, {at.middle(), 586}, "x, from below: no positions added", "middle small");
  const char* const names[] = {"masked self-attention", "gated feed-forward"};
  const char* const formulas[] = {"equation (1) as it was", "(swish(x W_{g}) ⊙ x W_{1}) W_{2}"};
  for (int i = 0; i < 2; ++i) {
    const double bottom = 546 - i * 210;
    at.up(bottom + (i == 0 ? 24 : 44), bottom + 2);
    at.box(bottom, {"RMSNorm", "before, not after"}, "green");
    at.up(bottom - kHeight - 2, bottom - 66);
    at.box(bottom - 68, {names[i], formulas[i]}, i == 0 ? "orange" : "green");
    at.up(bottom - 68 - kHeight - 2, bottom - 138);
    draw_operation(svg, {at.middle(), bottom - 152}, "+");
    at.around(bottom + 14, {at.middle() - 14, bottom - 152});
    if (i == 1) at.up(bottom - 166, bottom - 186);
  }
  draw_text(svg, {at.middle() + 12, 494}, "Q and K turned by position", "small green");
  draw_text(svg, {at.middle(), 142}, "y", "middle");
  draw_text(svg, {534, 98}, "One more norm follows the last layer.", "small muted");
}

}  // namespace

Svg later_layer() {
  Svg svg{880, 610, "A decoder layer of the paper, and a decoder-only layer",
          "Left, from the bottom up: masked self-attention, Add & Norm, attention over z, Add & "
          "Norm, feed-forward, Add & Norm. Right: RMSNorm, masked self-attention with queries and "
          "keys turned by position, a sum, RMSNorm, gated feed-forward, a sum; the attention over "
          "z is gone, and each residual connection goes from sum to sum without a norm on it.",
          ""};
  draw_paper(svg);
  draw_later(svg);
  return svg;
}

}  // namespace attn::walkthrough
