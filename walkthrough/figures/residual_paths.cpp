// Chapter 3.1: the product (1 + J_1)(1 + J_2)(1 + J_3), as the paths of a gradient through three
// residual connections.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr int kLayers = 3;
constexpr double kWidth = 206, kBox = 34, kLeft = 150, kPitch = 240, kRow = 78;

double box_left(double x, int i) {
  return x + 30 + i * (kWidth - 60 - kBox) / (kLayers - 1);
}

// Which sub-layers a path goes through: bit i for the one of J_{i+1}.
void draw_path(Svg& svg, Point corner, int through, const char* colour) {
  constexpr double kRiser = 7;
  const double wire = corner.y + 42, box = corner.y + 14;
  const auto used = [&](int i) { return (through >> i & 1) != 0; };
  std::vector<Point> path{{corner.x + kWidth, wire}};
  for (int i = kLayers - 1; i >= 0; --i) {  // from the top of the stack down
    if (!used(i)) continue;
    const double left = box_left(corner.x, i) - kRiser, right = left + kBox + 2 * kRiser;
    for (const Point& p :
         {Point{right, wire}, Point{right, box}, Point{left, box}, Point{left, wire}}) {
      path.push_back(p);
    }
  }
  path.push_back({corner.x, wire});
  draw_arrow(svg, path, colour);
  for (int i = 0; i < kLayers; ++i) {
    const Rect area{box_left(corner.x, i), box - 13, kBox, 26};
    draw_rect(svg, area, "area paper", 5);  // the path ends where a box begins
    draw_rect(svg, area, used(i) ? text("box ", colour) : "line grid", 5);
    draw_text(svg, {area.middle(), box + 5}, text("J_{", i + 1, "}"),
              used(i) ? text("small middle ", colour) : "small middle muted");
  }
}

}  // namespace

Svg residual_paths() {
  Svg svg{880, 350, "The paths of a gradient through three residual connections",
          "Eight small pictures, one for each way to go through or around three sub-layers: around "
          "all, 1; through one, J1, J2 or J3; through two, three products; through all three. If "
          "each J is a half, the groups give 1, 1.5, 0.75 and 0.125, in total 3.375, and without "
          "the wire only 0.125 is left.",
          ""};
  struct Group {
    const char *name, *sum, *colour;
    std::vector<int> paths;
  };
  const Group groups[] = {{"around all", "1", "green", {0}},
                          {"through one", "3 · ½ = 1.5", "blue", {1, 2, 4}},
                          {"through two", "3 · ¼ = 0.75", "purple", {3, 5, 6}},
                          {"through all", "⅛ = 0.125", "orange", {7}}};
  for (int i = 0; i < 4; ++i) {
    const Group& group = groups[i];
    const double y = 40 + kRow * i;
    draw_text(svg, {20, y + 24}, group.name, text("bold ", group.colour));
    draw_text(svg, {20, y + 45}, group.sum, "small muted");
    for (std::size_t j = 0; j < group.paths.size(); ++j) {
      draw_path(svg, {kLeft + kPitch * static_cast<double>(j), y}, group.paths[j], group.colour);
    }
  }
  draw_text(svg, {20, 28}, "if each J = ½", "small muted");
  draw_text(svg, {kLeft - 6, 87}, "dx", "small end");
  draw_text(svg, {kLeft + kWidth + 6, 87}, "dy", "small");
  const double right = kLeft + kPitch + 40;
  draw_text(svg, {right, 72}, "(1 + J_{1})(1 + J_{2})(1 + J_{3}) = 1.5^{3} = 3.375", "bold");
  draw_text(svg, {right, 94}, "= 1 + 1.5 + 0.75 + 0.125", "muted");
  draw_text(svg, {right, 40 + 3 * kRow + 34}, "Without the wire only this path is left, an eighth.",
            "muted");
  return svg;
}

}  // namespace attn::walkthrough
