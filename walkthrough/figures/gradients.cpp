// Gradients: how large they are in each layer, and how near central differences come to them.
#include <algorithm>
#include <cmath>

#include "examples/quotients.h"
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

Svg gradient_norms(const std::string& measurements) {
  Svg svg{880, 420, "Gradient norms by layer, post-norm and pre-norm",
          "Two charts, encoder and decoder, of the norm of each layer's gradient before the first "
          "step, for models of 12 and 12 layers. With post-norm the decoder's gradients shrink "
          "from the last layer to the first by a factor of more than 10; with pre-norm all layers "
          "have gradients of about the same size.",
          ""};
  const Table table = read_table(measurements, "gradients");
  for (const std::string stack : {"encoder", "decoder"}) {
    const double x = stack == "encoder" ? 70 : 500;
    Axes axes = make_axes({x, 76, 350, 260}, 0.5, 12.5, 0.05, 10);
    axes.y.logarithmic = true;
    draw_text(svg, {x, 34}, stack, "large bold");
    draw_axes(svg, axes,
              {ticks({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}), ticks({0.1, 1, 10}),
               stack == "encoder" ? "layer, 1 reads the source" : "layer, 12 writes the output",
               "norm of a layer's gradient"});
    for (const std::string norm : {"post", "pre"}) {
      const char* const colour = norm == "post" ? "orange" : "blue";
      std::vector<Point> points;
      for (const auto& row : table.where("stack", stack).where("norm", norm).rows) {
        points.push_back({number_in(row, "layer"), number_in(row, "gradient")});
      }
      draw_curve(svg, axes, points, colour);
      for (const Point& p : points) draw_circle(svg, axes(p.x, p.y), 3.5, text("area ", colour));
      const bool above = norm == (stack == "encoder" ? "post" : "pre");
      const Point beside = points[above ? 1 : 4], at = axes(beside.x, beside.y);
      draw_text(svg, {at.x + (above ? 0 : 12), at.y + (above ? -24 : 26)},
                norm == "post" ? "post-norm (the paper's)" : "pre-norm",
                text("bold halo ", colour));
    }
  }
  draw_text(svg, {70, 402},
            "12 + 12 layers, d_{model} = 256, fresh weights, a batch of copy; root of the mean "
            "square over 10 seeds.",
            "small muted");
  return svg;
}

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
