// Two graphs of numbers: values forward, above; gradients backward, below.
#include "figures.h"

namespace attn::walkthrough {

namespace {

constexpr double kRadius = 26;

void draw_number(Svg& svg, Point at, const std::string& name, double value, double gradient) {
  draw_circle(svg, at, kRadius, "box muted");
  draw_text(svg, {at.x, at.y + 6}, name, "middle bold italic large");
  draw_text(svg, {at.x, at.y - kRadius - 12}, short_number(value), "middle large bold blue");
  draw_text(svg, {at.x, at.y + kRadius + 26}, short_number(gradient), "middle large bold orange");
}

// Forward along the upper half of the edge, back along the lower half.
void draw_step(Svg& svg, Point from, Point to, const std::string& forward,
               const std::string& backward) {
  const double left = from.x + kRadius + 8, right = to.x - kRadius - 8;
  const double middle = (left + right) / 2;
  draw_arrow(svg, {{left, from.y - 9}, {right, to.y - 9}}, "line blue");
  draw_arrow(svg, {{right, to.y + 9}, {left, from.y + 9}}, "line orange");
  draw_text(svg, {middle, (from.y + to.y) / 2 - 20}, forward, "middle blue");
  draw_text(svg, {middle, (from.y + to.y) / 2 + 30}, backward, "middle orange");
}

void draw_legend(Svg& svg, double y) {
  draw_text(svg, {20, y - 22}, "forward:", "small blue");
  draw_text(svg, {20, y - 6}, "values", "small blue");
  draw_text(svg, {20, y + 22}, "backward:", "small orange");
  draw_text(svg, {20, y + 38}, "gradients", "small orange");
}

}  // namespace

Svg backward_chain() {
  const double x = 3, a = 2 * x, b = a - 4, L = b * b;
  const double dL = 1, db = 2 * b * dL, da = db, dx = 2 * da;
  Svg svg{880, 190, "The chain rule on a graph",
          text("x = ", short_number(x), ", a = 2x = ", short_number(a),
               ", b = a − 4 = ", short_number(b), ", L = b² = ", short_number(L),
               ". Backward from dL = 1: db = ", short_number(db), ", da = ", short_number(da),
               ", dx = ", short_number(dx), "."),
          ""};
  constexpr double kY = 92;
  const Point at[] = {{130, kY}, {360, kY}, {590, kY}, {820, kY}};
  draw_legend(svg, kY);
  draw_step(svg, at[0], at[1], "a = 2x", "· 2");
  draw_step(svg, at[1], at[2], "b = a − 4", "· 1");
  draw_step(svg, at[2], at[3], "L = b^{2}", text("· 2b = ", short_number(2 * b)));
  draw_number(svg, at[0], "x", x, dx);
  draw_number(svg, at[1], "a", a, da);
  draw_number(svg, at[2], "b", b, db);
  draw_number(svg, at[3], "L", L, dL);
  return svg;
}

Svg backward_fork() {
  const double x = 3, f = x * x, y = f + x;
  const double dy = 1, df = dy, through = 2 * x * df, around = dy, dx = through + around;
  Svg svg{880, 250, "Two paths from x to y",
          text("x = ", short_number(x), " reaches y = ", short_number(y), " through f = x² = ",
               short_number(f), " and around it. Backward ", short_number(through), " and ",
               short_number(around), " come back, and dx is their sum, ", short_number(dx), "."),
          ""};
  constexpr double kY = 92;
  const Point from{160, kY}, middle{480, kY}, to{800, kY};
  draw_legend(svg, kY);
  draw_step(svg, from, middle, "f = x^{2}", text("· 2x:  ", short_number(through), " comes back"));
  draw_step(svg, middle, to, "y = f + x", text("· 1:  ", short_number(df), " comes back"));
  // Around f.
  const double low = kY + 108;
  draw_arrow(svg,
             {{from.x - 9, kY + kRadius + 36},
              {from.x - 9, low + 9},
              {to.x + 9, low + 9},
              {to.x + 9, kY + kRadius + 36}},
             "line blue");
  draw_arrow(svg,
             {{to.x - 9, kY + kRadius + 36},
              {to.x - 9, low - 9},
              {from.x + 9, low - 9},
              {from.x + 9, kY + kRadius + 36}},
             "line orange");
  draw_text(svg, {middle.x, low + 32}, "x, unchanged", "middle blue");
  draw_text(svg, {middle.x, low - 18}, text("· 1:  ", short_number(around), " comes back"),
            "middle orange");
  draw_number(svg, from, "x", x, dx);
  draw_number(svg, middle, "f", f, df);
  draw_number(svg, to, "y", y, dy);
  return svg;
}

}  // namespace attn::walkthrough
