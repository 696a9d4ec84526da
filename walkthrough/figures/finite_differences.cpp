// How near central differences come to a derivative.
#include <algorithm>
#include <cmath>

#include "examples/quotients.h"
#include "figures.h"

namespace attn::walkthrough {

Svg finite_differences() {
  Svg svg{880, 470, "The error of central differences against their step h",
          "A chart with logarithmic axes. In double the error falls with h squared until h is "
          "about 1e-5, then rises again as rounding takes over. In float the best h is near 3e-3 "
          "and the error there is far larger.",
          ""};
  Axes axes = make_axes({80, 60, 740, 330}, 1e-12, 1, 1e-13, 10);
  axes.x.logarithmic = axes.y.logarithmic = true;
  std::vector<Tick> y;
  for (int power = -12; power <= 0; power += 2) y.push_back(powers_of_ten(power, power)[0]);
  draw_axes(svg, axes,
            {powers_of_ten(-12, 0), y, "h", "relative error of (f(x + h) − f(x − h))/2h"});
  for (const bool is_double : {true, false}) {
    const char* const colour = is_double ? "blue" : "orange";
    std::vector<Point> points;
    for (int quarter = is_double ? -48 : -24; quarter <= 0; ++quarter) {
      const double h = std::pow(10, quarter / 4.0);
      const double error =
          is_double ? error_of_quotient<double>(h, true) : error_of_quotient<float>(h, true);
      points.push_back({h, std::max(error, axes.y.low)});
    }
    draw_curve(svg, axes, points, colour);
    for (const Point& p : points) draw_circle(svg, axes(p.x, p.y), 2.5, text("area ", colour));
  }
  draw_text(svg, axes(3e-12, 2e-5), "double", "blue bold large halo");
  draw_text(svg, axes(3e-6, 0.1), "float", "orange bold large halo");
  draw_text(svg, axes(2e-9, 1e-6), "rounding: ∼ 1/h", "muted halo");
  draw_text(svg, axes(2.3e-4, 1e-8), "the curve's bend: ∼ h^{2}", "muted halo");
  draw_line(svg, axes(1e-5, 1e-13), axes(1e-5, 3e-11), "muted thin fine");
  draw_text(svg, axes(1.3e-5, 2e-13), "h = 10^{−5}: what the tests use", "small muted halo");
  return svg;
}

}  // namespace attn::walkthrough
