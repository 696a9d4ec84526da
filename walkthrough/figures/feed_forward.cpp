// Chapter 3.3: ReLU as hinges, and as gates for values and gradients.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "figures.h"
#include "layers/feed_forward.h"
#include "trace/subject.h"
#include "trace/trace.h"

namespace attn::walkthrough {

namespace {

constexpr double kFrom = -3, kTo = 3;

double curve(double x) {
  return std::sin(x + 1);
}

// A network from one number to one number: hidden unit j switches on at the j-th of `units` equal
// parts, and its weight bends the output towards the curve's value at the next.
FeedForward hinges(int units) {
  FeedForward network(1, units, 0);
  const double step = (kTo - kFrom) / units;
  double slope = 0;
  for (Index j = 0; j < units; ++j) {
    const double knot = kFrom + step * static_cast<double>(j);
    const double next = (curve(knot + step) - curve(knot)) / step;
    network.inner.weight.value[j] = 1;
    network.inner.bias.value[j] = static_cast<Real>(-knot);
    network.outer.weight.value[j] = static_cast<Real>(next - slope);
    slope = next;
  }
  network.outer.bias.value[0] = static_cast<Real>(curve(kFrom));
  return network;
}

double output(const FeedForward& network, double x) {
  Tensor input = Tensor::zeros({1, 1});
  input[0] = static_cast<Real>(x);
  FeedForward::Cache unused;
  return static_cast<double>(network.forward(input, Pass(), unused)[0]);
}

Axes draw_panel(Svg& svg, int number, const std::string& title) {
  const Axes axes = make_axes({56 + 286.0 * number, 64, 236, 210}, kFrom, kTo, -3.2, 3.2);
  draw_text(svg, {axes.area().middle(), 36}, title, "middle bold");
  std::vector<Tick> y = ticks({-2, -1, 0, 1, 2});
  if (number > 0) {
    for (Tick& tick : y) tick.label.clear();
  }
  draw_axes(svg, axes, {ticks({-3, -2, -1, 0, 1, 2, 3}), y, "x", ""});
  return axes;
}

std::vector<Point> sampled(double from, double to, const std::function<double(double)>& f) {
  std::vector<Point> points;
  for (int i = 0; i <= 240; ++i) {
    const double x = from + (to - from) * i / 240;
    points.push_back({x, f(x)});
  }
  return points;
}

void draw_sum(Svg& svg, int number, int units) {
  const Axes axes = draw_panel(svg, number, text("b_{2} + ", units, " hinges"));
  draw_curve(svg, axes, sampled(kFrom, kTo, curve), "muted dashed");
  const FeedForward network = hinges(units);
  draw_curve(svg, axes, sampled(kFrom, kTo, [&](double x) { return output(network, x); }),
             "blue thick");
  for (int j = 0; j < units; ++j) {
    const double x = kFrom + (kTo - kFrom) * j / units;
    draw_circle(svg, axes(x, output(network, x)), 3.5, "area orange");
  }
}

// Values of the trace by name.
std::map<std::string, Tensor> traced() {
  const TraceSubject subject = trace_subject(trace_example(), {kExampleSource, kExampleTarget});
  std::map<std::string, Tensor> values;
  Trace trace = trace_of(*subject.model, subject.batch, subject.tokens, true);
  for (TraceValue& value : trace.values) values[value.name] = std::move(value.data);
  return values;
}

std::string number(Real value, int digits) {
  return with_minus(short_number(static_cast<double>(value), digits));
}

std::string vector_text(const Real* numbers, Index count, int digits) {
  std::string result = "(";
  for (Index j = 0; j < count; ++j) result += text(j > 0 ? ", " : "", number(numbers[j], digits));
  return result + ")";
}

// One hidden unit: forward above, backward below, a gate in between.
void draw_unit(Svg& svg, double y, Index j, const std::map<std::string, Tensor>& values) {
  const std::string part = "encoder.0.feed_forward.";
  constexpr Index kWord = 1;  // visite
  const Real a = values.at(part + "inner")(kWord, j), r = values.at(part + "hidden")(kWord, j);
  const Real dr = values.at(part + "dhidden")(kWord, j), da = values.at(part + "dinner")(kWord, j);
  const bool open = r > 0;
  const char* const forward = open ? "blue" : "muted";
  const char* const backward = open ? "orange" : "muted";
  draw_text(svg, {40, y + 5}, text("unit ", j + 1), open ? "bold" : "muted");
  constexpr double kGate = 390;
  draw_line(svg, {200, y - 9}, {kGate - 14, y - 9}, "blue");
  draw_text(svg, {192, y - 4}, text("a = ", number(a, 2)), "end small blue");
  draw_text(svg, {192, y + 16}, text("da = ", number(da, 4)), text("end small ", backward));
  if (open) {
    draw_arrow(svg, {{kGate - 14, y - 9}, {568, y - 9}}, "blue");
    draw_arrow(svg, {{568, y + 11}, {204, y + 11}}, "orange dashed");
  } else {
    draw_line(svg, {kGate + 14, y + 11}, {568, y + 11}, "orange dashed");
  }
  // The gate.
  draw_rect(svg, {kGate - 14, y - 20, 28, 42}, "paper area", 4);
  draw_rect(svg, {kGate - 14, y - 20, 28, 42}, text("box ", open ? "green" : "muted"), 4);
  draw_text(svg, {kGate, y + 6}, open ? "1" : "0", text("middle bold ", open ? "green" : "muted"));
  draw_text(svg, {576, y - 4}, text("r = ", number(r, 2)), text("small ", forward));
  draw_text(svg, {576, y + 16}, text("dr = ", number(dr, 4)), "small orange");
  draw_text(svg, {690, y + 6},
            text("· ", vector_text(values.at(part + "outer.weight").row(j), 4, 1)),
            text("small ", open ? "" : "muted"));
}

}  // namespace

Svg relu_hinges() {
  Svg svg{880, 356, "Hinges, and sums of hinges",
          "Three charts. Left, four hinges: each is 0 up to a point and a straight line after it. "
          "Middle, their sum with the bias: a line with a bend where each hinge begins, near a "
          "sine curve. Right, the bias and twelve hinges: nearly the sine curve.",
          ""};
  const FeedForward four = hinges(4);
  const Axes axes = draw_panel(svg, 0, "four units: r_{j} · W_{2}");
  const char* const colours[] = {"blue", "orange", "green", "purple"};
  // The last one first, so that of the part where several are 0 each shows its own.
  for (Index j = 3; j >= 0; --j) {
    const auto hinge = [&](double x) {
      const double a = x + static_cast<double>(four.inner.bias.value[j]);
      return std::max(0.0, a) * static_cast<double>(four.outer.weight.value[j]);
    };
    // As far as the chart reaches.
    double to = kTo;
    while (std::fabs(hinge(to)) > 3.2) to -= 0.01;
    draw_curve(svg, axes, sampled(kFrom, to, hinge), colours[j]);
  }
  draw_sum(svg, 1, 4);
  draw_sum(svg, 2, 12);
  draw_text(
      svg, {56, 338},
      "Dashed: sin(x + 1). Dots: where a unit switches on. The weights are computed, not learned.",
      "small muted");
  return svg;
}

Svg feed_forward_gates() {
  Svg svg{880, 400, "The hidden units of visite as gates",
          "Five rows, one per hidden unit, each with a gate in its middle. For visite only the "
          "third unit's gate is open: a goes through as r, and dr comes back as da. At the other "
          "four gates a stops, r is 0, dr stops, and da is 0.",
          ""};
  const std::map<std::string, Tensor> values = traced();
  draw_text(svg, {40, 36}, "visite", "large bold");
  draw_text(svg, {160, 36}, "x W_{1} + b_{1}", "middle small blue");
  draw_text(svg, {390, 36}, "max(0, ·)", "middle bold");
  draw_text(svg, {610, 36}, "dy W_{2}^{T}", "middle small orange");
  draw_text(svg, {768, 36}, "times row j of W_{2}", "middle small");
  for (Index j = 0; j < 5; ++j) draw_unit(svg, 80 + 58 * static_cast<double>(j), j, values);
  draw_sample(svg, {40, 378}, 32, "blue", "forward", "small blue");
  draw_sample(svg, {170, 378}, 32, "orange dashed", "backward: the same gates for the gradients",
              "small orange");
  return svg;
}

}  // namespace attn::walkthrough
