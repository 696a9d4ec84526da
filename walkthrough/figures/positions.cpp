// Positional encodings (§3.5) as a map, as curves, and their dot products.
#include <cmath>

#include "figures.h"
#include "layers/positional_encoding.h"

namespace attn::walkthrough {

namespace {

// PE(pos), d_model numbers.
std::vector<double> encoding(int pos, int d_model) {
  std::vector<Real> row(d_model);
  sinusoidal_encoding(pos, d_model, row.data());
  return {row.begin(), row.end()};
}

// One dimension's sine and its neighbour's cosine along the positions.
void draw_pair(Svg& svg, const Rect& area, int dimension, int d_model, int positions) {
  const Axes axes = make_axes(area, 0, positions - 1, -1, 1);
  std::vector<Point> sine, cosine;
  // Between the positions the curves are drawn from the formula, or the fastest would have corners.
  const double frequency = std::pow(10000.0, -static_cast<double>(dimension) / d_model);
  for (int i = 0; i <= 4 * (positions - 1); ++i) {
    const double pos = i / 4.0;
    sine.push_back({pos, std::sin(pos * frequency)});
    cosine.push_back({pos, std::cos(pos * frequency)});
  }
  draw_line(svg, axes(0, 0), axes(positions - 1, 0), "grid thin");
  draw_curve(svg, axes, cosine, "purple dashed");
  draw_curve(svg, axes, sine, "green");
  const double wavelength = 2 * std::acos(-1.0) / frequency;
  draw_text(svg, {area.x, area.y - 10},
            text("dimensions ", dimension, ", ", dimension + 1, ": one wave in ",
                 fixed_number(wavelength, 1), " positions"),
            "small");
}

}  // namespace

Svg positional_encoding() {
  constexpr int kPositions = 64, kWidth = 64;
  Svg svg{880, 560, "Positional encodings",
          "Left, a map of the first 64 positional encodings for d_model = 64: positions from top "
          "to bottom, dimensions from left to right, blue for positive and orange for negative "
          "numbers. On the left of it the sign changes every few positions, on the right never. "
          "Right, four pairs of dimensions as sine and cosine along the positions, from a "
          "wavelength of 6.3 positions to one of 198.7.",
          ""};
  HeatMap map{kPositions, kWidth, {}};
  for (int pos = 0; pos < kPositions; ++pos) {
    for (const double value : encoding(pos, kWidth)) map.weights.push_back(value);
  }
  const Rect area{70, 74, 400, 400};
  draw_signed_map(svg, area, map);
  for (const int tick : {0, 16, 32, 48, 63}) {
    const double middle = (tick + 0.5) * area.width / 64;
    draw_text(svg, {area.x - 8, area.y + middle + 5}, text(tick), "small muted end");
    draw_text(svg, {area.x + middle, area.bottom() + 19}, text(tick), "small muted middle");
  }
  draw_text(svg, {area.x - 40, area.y - 20}, "position", "");
  draw_text(svg, {area.middle(), area.bottom() + 42}, "dimension (d_{model} = 64)", "middle");
  draw_text(svg, {area.right() - 188, area.y - 20}, "−1", "small orange bold");
  draw_text(svg, {area.right(), area.y - 20}, "+1", "small blue bold end");
  for (int i = 0; i < 32; ++i) {
    const double share = (i + 0.5) / 16 - 1;
    HeatMap cell{1, 1, {std::fabs(share)}};
    draw_heat_map(svg, {area.right() - 166 + 4.5 * i, area.y - 30, 4.5, 12}, cell,
                  share > 0 ? "blue" : "orange");
  }

  const int dimensions[] = {0, 8, 16, 24};
  for (int i = 0; i < 4; ++i) {
    draw_pair(svg, {530, 74 + 110.0 * i, 320, 70}, dimensions[i], kWidth, kPositions);
  }
  draw_text(svg, {530, 40}, "sin: even dimensions", "small green bold");
  draw_text(svg, {850, 40}, "cos: odd dimensions", "small purple bold end");
  for (const int tick : {0, 16, 32, 48, 63}) {
    draw_text(svg, {530 + 320.0 * tick / 63, area.bottom() + 19}, text(tick), "small muted middle");
  }
  draw_text(svg, {690, area.bottom() + 42}, "position", "middle");
  return svg;
}

Svg position_dot_products() {
  constexpr int kWidth = 512, kFarthest = 128, kNear = 8;
  Svg svg{880, 420, "Dot products of positional encodings",
          "The dot product of the encodings of two positions against the distance k between them, "
          "for d_model = 512. Left, distances up to 8: a peak of 256 at k = 0, with 249.1 on both "
          "sides of it at -1 and 1. Right, up to 128: it falls on both sides in small waves, to "
          "about 105.",
          ""};
  // From one position in the middle to all around it; from any other it is the same curve.
  const std::vector<double> from = encoding(kFarthest, kWidth);
  std::vector<Point> products;
  for (int k = -kFarthest; k <= kFarthest; ++k) {
    const std::vector<double> to = encoding(kFarthest + k, kWidth);
    double product = 0;
    for (std::size_t c = 0; c < to.size(); ++c) product += from[c] * to[c];
    products.push_back({static_cast<double>(k), product});
  }
  const std::vector<Point> near(products.begin() + kFarthest - kNear,
                                products.begin() + kFarthest + kNear + 1);
  const std::vector<Tick> levels = ticks({0, 64, 128, 192, 256});

  const Axes close = make_axes({70, 60, 330, 280}, -kNear, kNear, 0, 280);
  draw_axes(
      svg, close,
      {ticks({-8, -4, -1, 1, 4, 8}), levels, "distance k", "PE(p) · PE(p + k),  d_{model} = 512"});
  draw_curve(svg, close, near, "blue thin");
  for (const Point& point : near) {
    const bool neighbour = std::fabs(point.x) == 1;
    draw_circle(svg, close(point.x, point.y), neighbour ? 5 : 3.5,
                neighbour ? "area orange" : "area blue");
  }
  const double itself = products[kFarthest].y, neighbour = products[kFarthest + 1].y;
  draw_text(svg, {close.x(0), close.y(256) - 11}, text(fixed_number(itself, 0), " with itself"),
            "small blue bold middle");
  draw_text(svg, {close.x(0), close.y(150)},
            "left and right neighbour:", "small orange bold middle halo");
  draw_text(svg, {close.x(0), close.y(150) + 18},
            text("the same product, ", fixed_number(neighbour, 1)),
            "small orange bold middle halo");

  const Axes far = make_axes({480, 60, 370, 280}, -kFarthest, kFarthest, 0, 280);
  draw_axes(svg, far,
            {ticks({-128, -64, 0, 64, 128}), levels, "distance k", "the same, up to distance 128"});
  draw_curve(svg, far, products, "blue");
  return svg;
}

}  // namespace attn::walkthrough
