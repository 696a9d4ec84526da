// Positional encodings (§3.5) as clocks: each pair of numbers is a hand, and a shift turns it.
#include <cmath>

#include "figures.h"
#include "layers/positional_encoding.h"

namespace attn::walkthrough {

namespace {

constexpr int kWidth = 64;  // d_model
constexpr double kRadius = 31;
const double kPi = std::acos(-1.0);

double frequency(int pair) {
  return std::pow(10000.0, -2.0 * pair / kWidth);
}

// The tip of a hand: its sine to the right and its cosine up, so that 0 is twelve o'clock.
Point tip(Point centre, int pos, int pair) {
  std::vector<Real> row(kWidth);
  sinusoidal_encoding(pos, kWidth, row.data());
  const std::size_t sine = 2 * static_cast<std::size_t>(pair);
  return {centre.x + (kRadius - 3) * static_cast<double>(row[sine]),
          centre.y - (kRadius - 3) * static_cast<double>(row[sine + 1])};
}

void draw_face(Svg& svg, Point centre) {
  draw_circle(svg, centre, kRadius, "line muted thin");
  draw_line(svg, {centre.x, centre.y - kRadius}, {centre.x, centre.y - kRadius + 5}, "line muted");
}

// A clock at position pos, and the same hand k positions later.
void draw_turn(Svg& svg, Point centre, int pos, int k, int pair) {
  draw_face(svg, centre);
  const double from = pos * frequency(pair), by = k * frequency(pair);
  std::vector<Point> sector{centre};
  for (int i = 0; i <= 16; ++i) {
    const double angle = from + by * i / 16;
    sector.push_back(
        {centre.x + (kRadius - 3) * std::sin(angle), centre.y - (kRadius - 3) * std::cos(angle)});
  }
  sector.push_back(centre);
  draw_polyline(svg, sector, "tint orange");
  draw_line(svg, centre, tip(centre, pos, pair), "line muted");
  draw_arrow(svg, {centre, tip(centre, pos + k, pair)}, "line orange");
  draw_text(svg, {centre.x, centre.y + kRadius + 19}, text(pos, " → ", pos + k), "small middle");
}

}  // namespace

Svg turning_clocks() {
  constexpr int kPairs[] = {0, 4, 8, 12}, kPositions = 8, kShift = 2;
  Svg svg{880, 570, "Positions as clocks of different speeds",
          "Four rows of eight clocks for positions 0 to 7, one hand each. The hand of pair 0 turns "
          "by 1 radian per position and is nearly at its start again at position 6; the hands of "
          "pairs 4, 8 and 12 turn more slowly, the last by a hundredth of a turn or less. Below, "
          "the same hand at two positions that are 2 apart: from wherever it starts, the hand of "
          "a pair turns by the same angle.",
          ""};
  const auto column = [](int j) { return 232 + 84.0 * j; };
  draw_text(svg, {24, 36}, "position", "bold");
  for (int pos = 0; pos < kPositions; ++pos) {
    draw_text(svg, {column(pos), 36}, text(pos), "bold middle");
  }
  for (int row = 0; row < 4; ++row) {
    const int pair = kPairs[row];
    const double y = 86 + 82.0 * row;
    draw_text(svg, {24, y - 3}, text("pair ", pair), "bold blue");
    draw_text(svg, {24, y + 16}, text("a turn in ", fixed_number(2 * kPi / frequency(pair), 1)),
              "small muted");
    for (int pos = 0; pos < kPositions; ++pos) {
      const Point centre{column(pos), y};
      draw_face(svg, centre);
      draw_arrow(svg, {centre, tip(centre, pos, pair)}, "line blue");
    }
  }

  draw_line(svg, {24, 396}, {856, 396}, "line grid");
  draw_text(svg, {24, 428},
            "Two positions later, from any position, a hand has turned by 2ω:", "bold");
  const int starts[] = {0, 1, 3, 5};
  for (int side = 0; side < 2; ++side) {
    const int pair = kPairs[side];
    const double left = side == 0 ? 24 : 460;
    draw_text(svg, {left, 490}, text("pair ", pair), "bold orange");
    draw_text(svg, {left, 509}, text(fixed_number(kShift * frequency(pair) * 180 / kPi, 1), "°"),
              "small muted");
    for (int i = 0; i < 4; ++i) {
      draw_turn(svg, {left + 100 + 84.0 * i, 490}, starts[i], kShift, pair);
    }
  }
  return svg;
}

}  // namespace attn::walkthrough
