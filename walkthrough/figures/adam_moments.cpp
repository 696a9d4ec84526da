// What Adam makes of one weight's noisy gradients (§5.3), by the library's own step.
#include <cmath>

#include "base/random.h"
#include "figures.h"
#include "kernels/kernels.h"
#include "training/adam.h"

namespace attn::walkthrough {

namespace {

constexpr int kSteps = 200, kChange = 100;  // after step kChange the gradients are noise alone
constexpr double kMean = 0.1, kDeviation = 0.1;

struct History {
  std::vector<Point> gradient, m_hat, root_v_hat, root_v, moved;
};

History history() {
  const RandomStream random{1, 0};
  History h;
  Real w = 0, m = 0, v = 0;
  for (int t = 1; t <= kSteps; ++t) {
    const double noise = kDeviation * random.normal(static_cast<std::uint64_t>(t));
    const Real g = static_cast<Real>((t <= kChange ? kMean : 0) + noise);
    const double rest1 = 1 - std::pow(Adam::kBeta1, t), rest2 = 1 - std::pow(Adam::kBeta2, t);
    const AdamStep step{1,
                        static_cast<Real>(Adam::kBeta1),
                        static_cast<Real>(Adam::kBeta2),
                        static_cast<Real>(Adam::kEpsilon),
                        static_cast<Real>(1 / rest1),
                        static_cast<Real>(1 / rest2),
                        1};
    w = 0;
    kernels().vector_adam(1, step, &g, &w, &m, &v);
    const double x = t, square = static_cast<double>(v);
    h.gradient.push_back({x, static_cast<double>(g)});
    h.m_hat.push_back({x, static_cast<double>(m) / rest1});
    h.root_v_hat.push_back({x, std::sqrt(square / rest2)});
    h.root_v.push_back({x, std::sqrt(square)});
    h.moved.push_back({x, -static_cast<double>(w)});
  }
  return h;
}

}  // namespace

Svg adam_moments() {
  Svg svg{880, 424, "Adam's two running means, and the step they give",
          "Left, 200 gradients of one weight, noise around 0.1 up to step 100 and around 0 "
          "afterwards, with m-hat, which follows their mean within some twenty steps, and the root "
          "of v-hat, which changes little. The uncorrected root of v starts at 0 and needs about "
          "a hundred steps to catch up. Right, the ratio of the two, the step as a share of the "
          "rate: near 0.7 until step 100, then around 0.",
          ""};
  const History h = history();
  const Axes left = make_axes({70, 56, 400, 270}, 0, kSteps, -0.35, 0.4);
  draw_axes(svg, left,
            {ticks({0, 50, 100, 150, 200}), ticks({-0.2, 0, 0.2, 0.4}), "step",
             "gradients of one weight"});
  for (const Point& g : h.gradient) draw_circle(svg, left(g.x, g.y), 2, "area muted");
  draw_curve(svg, left, h.root_v, "orange dashed");
  draw_curve(svg, left, h.root_v_hat, "orange");
  draw_curve(svg, left, h.m_hat, "blue");
  draw_line(svg, left(kChange, -0.35), left(kChange, 0.4), "muted thin fine");

  const Axes right = make_axes({540, 56, 310, 270}, 0, kSteps, -0.75, 1);
  draw_axes(svg, right,
            {ticks({0, 50, 100, 150, 200}), ticks({-0.5, 0, 0.5, 1}), "step",
             "step as a share of the rate"});
  draw_line(svg, right(kChange, -0.75), right(kChange, 1), "muted thin fine");
  draw_curve(svg, right, h.moved, "green");
  draw_text(svg, right(106, 0.78), "m̂/√v̂", "green bold halo");

  draw_circle(svg, {84, 400}, 2, "area muted");
  draw_text(svg, {96, 405}, "gradient g", "small");
  draw_sample(svg, {200, 400}, 28, "blue", "m̂");
  draw_sample(svg, {280, 400}, 28, "orange", "√v̂");
  draw_sample(svg, {360, 400}, 28, "orange dashed", "√v, not corrected");
  return svg;
}

}  // namespace attn::walkthrough
