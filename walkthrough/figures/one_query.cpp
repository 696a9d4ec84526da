// Scaled dot-product attention in pictures: one query's way, softmax between soft and hard, and
// forward and backward as a graph.
#include <cmath>

#include "examples/five_words.h"
#include "figures.h"
#include "layers/attention.h"

namespace attn::walkthrough {

namespace {

constexpr Index kAsking = 2;  // l'Afrique

// A vector as cells with its numbers in them, filled as strongly as said.
void draw_vector(Svg& svg, Point corner, const Real* numbers, Index count, int digits,
                 double strength, const char* colour, double width) {
  constexpr double kHeight = 26;
  const int n = static_cast<int>(count);
  const Rect area{corner.x, corner.y, n * width, kHeight};
  draw_heat_map(svg, area, {1, n, std::vector<double>(count, strength)}, colour);
  draw_grid(svg, area, 1, n, "muted thin");
  for (int c = 0; c < n; ++c) {
    draw_text(svg, {area.x + (c + 0.5) * width, corner.y + 18},
              numbers[c] == 0 ? "0" : fixed_number(static_cast<double>(numbers[c]), digits),
              strength > 0.6 ? "small middle paper" : "small middle");
  }
}

// softmax(β a) of three scores.
std::vector<double> sharpened(double beta) {
  Tensor b = Tensor::zeros({1, 3});
  b[0] = Real(0.1), b[1] = Real(0.3), b[2] = Real(0.2);
  softmax(b, static_cast<Real>(beta), Mask::none);
  return {static_cast<double>(b[0]), static_cast<double>(b[1]), static_cast<double>(b[2])};
}

}  // namespace

Svg one_query() {
  Svg svg{880, 436, "One word's way through attention",
          "The query of l'Afrique is compared with five keys. A column for each step: the scores "
          "0, 4, 2, 0, 2; divided by 2; e to the power of that, with the sum 14.826; and divided "
          "by the sum, the weights 0.0675, 0.4984, 0.1834, 0.0675, 0.1834. Each value is "
          "multiplied by its weight; the sum of the products is the output.",
          ""};
  const Tensor Q = example_Q(), K = example_K(), V = example_V();
  Tensor S = Tensor::zeros({kFiveWords, kFiveWords}), P = S, O = Tensor::zeros({kFiveWords, 3});
  matmul(Q, transposed(K), S);
  attention_forward(Q, K, V, {}, {}, P, O);

  constexpr double kKeys = 108, kScore = 230, kScaled = 291, kPower = 362, kWeight = 402,
                   kValue = 548, kProduct = 660, kCell = 58;
  draw_text(svg, {20, 54}, "l'Afrique", "bold orange");
  draw_vector(svg, {kKeys, 36}, Q.row(kAsking), 4, 0, 0.3, "orange", 26);
  draw_text(svg, {kKeys + 114, 54}, "query q", "small muted");
  draw_arrow(svg, {{kKeys + 52, 66}, {kKeys + 52, 106}}, "orange");
  draw_text(svg, {kKeys, 132}, "keys k", "small muted");
  draw_text(svg, {kScore, 132}, "q·k", "small muted middle");
  draw_text(svg, {kScaled, 132}, "÷ √d_{k} = 2", "small muted middle");
  draw_text(svg, {kPower, 132}, "e to that", "small muted middle");
  draw_text(svg, {kWeight, 132}, "÷ sum: weights p", "small muted");
  draw_text(svg, {kValue, 132}, "values v", "small muted");
  draw_text(svg, {kProduct, 132}, "p · v", "small muted");

  constexpr double kTop = 146, kRow = 40;
  double sum = 0;
  for (Index j = 0; j < kFiveWords; ++j) {
    const double y = kTop + kRow * static_cast<double>(j);
    const double s = static_cast<double>(S(kAsking, j)), p = static_cast<double>(P(kAsking, j));
    const double power = std::exp(s / 2);
    sum += power;
    draw_text(svg, {20, y + 18}, kWords[j]);
    draw_vector(svg, {kKeys, y}, K.row(j), 4, 0, 0, "blue", 26);
    draw_text(svg, {kScore, y + 18}, short_number(s), "middle");
    draw_text(svg, {kScaled, y + 18}, short_number(s / 2), "middle");
    draw_text(svg, {kPower + 26, y + 18}, fixed_number(power, 3), "small end");
    draw_rect(svg, {kWeight, y + 3, 160 * p, 20}, "area purple");
    draw_text(svg, {kWeight + 160 * p + 6, y + 18}, fixed_number(p, 4), "small purple");
    draw_vector(svg, {kValue, y}, V.row(j), 3, 0, 0, "green", 26);
    Real product[3];
    for (Index c = 0; c < 3; ++c) product[c] = P(kAsking, j) * V(j, c);
    draw_vector(svg, {kProduct, y}, product, 3, 4, p, "green", kCell);
  }
  const double bottom = kTop + kRow * kFiveWords;
  draw_line(svg, {kPower - 26, bottom}, {kPower + 28, bottom}, "muted thin");
  draw_text(svg, {kPower + 26, bottom + 20}, fixed_number(sum, 3), "small end");
  draw_line(svg, {kProduct, bottom}, {kProduct + 3 * kCell, bottom}, "muted");
  draw_text(svg, {kProduct - 12, bottom + 32}, "output o, the sum", "end small muted");
  draw_vector(svg, {kProduct, bottom + 14}, O.row(kAsking), 3, 4, 0.3, "green", kCell);
  draw_text(svg, {20, 414},
            "The stronger a product's colour, the larger its weight. The other four words do the "
            "same, each with its own query.",
            "small muted");
  return svg;
}

Svg softmax_sharpness() {
  Svg svg{880, 474, "Softmax from soft to hard",
          "Above, bars of softmax(β a) for a = (0.1, 0.3, 0.2): alike at β = 0, one bar of 1 at "
          "β = 100. Below, the slope of the largest weight over β: it grows to its maximum near "
          "β = 15 and falls to nothing.",
          ""};
  const double betas[] = {0, 1, 10, 30, 100};
  for (int i = 0; i < 5; ++i) {
    const Axes axes = make_axes({60 + 166.0 * i, 64, 130, 110}, 0.4, 3.6, 0, 1);
    std::vector<Tick> y = ticks({0, 0.5, 1});
    if (i > 0) {
      for (Tick& tick : y) tick.label.clear();
    }
    draw_text(svg, {axes.area().middle(), 40}, text("β = ", short_number(betas[i])), "bold middle");
    draw_axes(svg, axes, {{{1, "p_{1}"}, {2, "p_{2}"}, {3, "p_{3}"}}, y, "", ""});
    const std::vector<double> p = sharpened(betas[i]);
    for (int l = 0; l < 3; ++l) {
      draw_bar(svg, axes, l + 0.65, l + 1.35, 0, p[l], l == 1 ? "orange" : "blue");
    }
  }
  Axes axes = make_axes({60, 270, 794, 130}, 0.1, 1000, 0, 3);
  axes.x.logarithmic = true;
  draw_axes(svg, axes,
            {{{0.1, "0.1"}, {1, "1"}, {10, "10"}, {100, "100"}, {1000, "1000"}},
             ticks({0, 1, 2, 3}),
             "β",
             "derivative of p_{2} with respect to its score: β p_{2} (1 − p_{2})"});
  std::vector<Point> slope;
  for (int i = 0; i <= 200; ++i) {
    const double beta = 0.1 * std::pow(10, i / 50.0), p = sharpened(beta)[1];
    slope.push_back({beta, beta * p * (1 - p)});
  }
  draw_curve(svg, axes, slope, "orange thick");
  return svg;
}

namespace {

struct Node {
  double x, y;
  const char *name, *shape, *forward, *backward;
  bool below;  // where the formulas are
};

constexpr double kWide = 84, kHigh = 46;

void draw_node(Svg& svg, const Node& n) {
  draw_box(svg, {n.x - kWide / 2, n.y - kHigh / 2, kWide, kHigh}, {n.name, n.shape}, "muted");
  const bool given = n.forward[0] == '\0';
  const double y = n.below ? n.y + kHigh / 2 + (given ? 1 : 20) : n.y - kHigh / 2 - 30;
  draw_text(svg, {n.x, y}, n.forward, "small middle blue");
  draw_text(svg, {n.x, y + 19}, n.backward, "small middle orange");
}

// From node to node, and back beside it.
void draw_both_ways(Svg& svg, const Node& from, const Node& to) {
  const double dx = to.x - from.x, dy = to.y - from.y, length = std::hypot(dx, dy);
  const double nx = -dy / length * 5, ny = dx / length * 5;
  // The boxes' edges on the line.
  const double cut = std::min(kWide / 2 / std::fabs(dx), kHigh / 2 / std::max(1e-9, std::fabs(dy)));
  const double gap = cut + 5 / length;
  const Point a{from.x + gap * dx, from.y + gap * dy}, b{to.x - gap * dx, to.y - gap * dy};
  draw_arrow(svg, {{a.x - nx, a.y - ny}, {b.x - nx, b.y - ny}}, "blue");
  draw_arrow(svg, {{b.x + nx, b.y + ny}, {a.x + nx, a.y + ny}}, "orange dashed");
}

}  // namespace

Svg attention_graph() {
  Svg svg{880, 402, "Attention, forward and backward",
          "A graph. Forward, solid arrows: Q and K give S, S gives A, A gives P, P and V give O. "
          "Backward, dashed arrows the other way: dO gives dP and dV, dP gives dA, dA gives dS, "
          "dS gives dQ and dK.",
          ""};
  const Node Q{70, 110, "Q", "[m, d_{k}]", "", "dQ = dS K", false};
  const Node K{70, 260, "K", "[n, d_{k}]", "", "dK = dS^{T} Q", true};
  const Node V{600, 330, "V", "[n, d_{v}]", "", "dV = P^{T} dO", true};
  const Node S{245, 185, "S", "[m, n]", "S = Q K^{T}", "dS = dA/√d_{k}", true};
  const Node A{410, 185, "A", "[m, n]", "A = S/√d_{k}", "dA = P ⊙ (dP − rowsum(P ⊙ dP))", false};
  const Node P{600, 185, "P", "[m, n]", "P = softmax(A)", "dP = dO V^{T}", true};
  const Node O{790, 185, "O", "[m, d_{v}]", "O = P V", "dO: from later layers", false};
  for (const Node& node : {Q, K, V, S, A, P, O}) draw_node(svg, node);
  draw_both_ways(svg, Q, S);
  draw_both_ways(svg, K, S);
  draw_both_ways(svg, S, A);
  draw_both_ways(svg, A, P);
  draw_both_ways(svg, P, O);
  draw_both_ways(svg, V, O);
  draw_line(svg, {20, 40}, {60, 40}, "line blue");
  draw_text(svg, {70, 45}, "forward", "small blue");
  draw_line(svg, {150, 40}, {190, 40}, "line orange dashed");
  draw_text(svg, {200, 45}, "backward: the same arrows in reverse, with gradients on them",
            "small orange");
  return svg;
}

}  // namespace attn::walkthrough
