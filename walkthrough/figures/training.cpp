// The loss of one token, the learning rate (§5.3) and label smoothing (§5.4), from their formulae.
#include <algorithm>
#include <cmath>

#include "figures.h"
#include "layers/cross_entropy.h"
#include "training/schedule.h"

namespace attn::walkthrough {

namespace {

void draw_schedule(Svg& svg, const Axes& axes, const Schedule& schedule, const char* classes) {
  std::vector<Point> rates;
  constexpr int kPoints = 400;
  const double last = axes.x.high;
  for (int i = 0; i <= kPoints; ++i) {
    const Index step = std::max<Index>(1, std::llround(last * i / kPoints));
    // The peak is a corner; it must not fall between two points.
    if (!rates.empty() && rates.back().x < static_cast<double>(schedule.warmup) &&
        step > schedule.warmup) {
      rates.push_back({static_cast<double>(schedule.warmup), schedule.rate(schedule.warmup)});
    }
    rates.push_back({static_cast<double>(step), schedule.rate(step)});
  }
  draw_curve(svg, axes, rates, classes);
  const Point peak = axes(static_cast<double>(schedule.warmup), schedule.rate(schedule.warmup));
  draw_circle(svg, peak, 4, text("area ", classes));
}

std::vector<Tick> rate_ticks(const std::vector<int>& units, double unit, int power) {
  std::vector<Tick> result;
  for (const int value : units) {
    result.push_back({value * unit, value == 0 ? "0" : text(value, " · 10^{−", power, "}")});
  }
  return result;
}

}  // namespace

Svg surprise() {
  Svg svg{
      880, 392, "What a token costs: −ln p",
      "The curve of −ln p over p from 0 to 1. It falls steeply at first and reaches 0 at p = 1. "
      "Dots: p = 0.01 costs 4.61, 1/29 costs 3.37, 0.25 costs 1.39, 0.5 costs 0.69 and 0.9 "
      "costs 0.11.",
      ""};
  const Axes axes = make_axes({70, 50, 780, 270}, 0, 1, 0, 5);
  draw_axes(svg, axes,
            {ticks({0, 0.25, 0.5, 0.75, 1}), ticks({0, 1, 2, 3, 4, 5}),
             "p, the probability that the model gave the right token", "loss −ln p"});
  std::vector<Point> curve;
  constexpr int kPoints = 200;
  for (int i = 0; i <= kPoints; ++i) {  // equal steps of the loss
    const double loss = axes.y.high * (1 - static_cast<double>(i) / kPoints);
    curve.push_back({std::exp(-loss), loss});
  }
  draw_curve(svg, axes, curve, "blue");
  const struct {
    double p;
    const char *what, *classes;
  } dots[] = {{0.01, "p = 0.01: hardly expected", "blue"},
              {1 / 29.0, "p = 1/29: no idea, all 29 alike", "orange"},
              {0.25, "p = 0.25: undecided between four", "blue"},
              {0.5, "p = 0.5: a coin", "blue"},
              {0.9, "p = 0.9: nearly sure", "blue"}};
  for (const auto& dot : dots) {
    const double loss = -std::log(dot.p);
    const Point at = axes(dot.p, loss);
    draw_circle(svg, at, 5, text("area ", dot.classes));
    const Point words{std::min(at.x + 12, axes.area().right() - 190),
                      at.y - (dot.p > 0.8 ? 24 : 6)};
    draw_text(svg, words, fixed_number(loss, 2), text("bold halo ", dot.classes));
    draw_text(svg, {words.x + 46, words.y}, dot.what, "small halo");
  }
  return svg;
}

Svg learning_rate() {
  Svg svg{880, 410, "Learning rates over the steps of training",
          "Left, the paper's schedules for the base and the big model: a straight rise over 4000 "
          "steps, to 7.0e-4 and 4.9e-4, then a fall with the inverse square root of the step. "
          "Right, the same for the toy tasks' tiny model, which rises over 50 steps.",
          ""};
  const Schedule base{512, 4000, 1}, big{1024, 4000, 1}, tiny{64, 50, 0.35};
  const Axes paper = make_axes({90, 56, 400, 270}, 0, 40000, 0, 8e-4);
  draw_axes(svg, paper,
            {{{0, "0"}, {4000, "4000"}, {20000, "20,000"}, {40000, "40,000"}},
             rate_ticks({0, 2, 4, 6, 8}, 1e-4, 4),
             "step",
             "learning rate: the paper's models"});
  draw_schedule(svg, paper, big, "purple");
  draw_schedule(svg, paper, base, "blue");
  draw_text(svg, {paper.x(4000) + 12, paper.y(base.rate(4000)) + 2}, "base, d_{model} = 512",
            "blue bold halo");
  draw_text(svg, {paper.x(13000), paper.y(big.rate(13000)) + 34}, "big, d_{model} = 1024",
            "purple bold middle halo");

  const Axes toy = make_axes({590, 56, 260, 270}, 0, 500, 0, 8e-3);
  draw_axes(
      svg, toy,
      {ticks({0, 50, 250, 500}), rate_ticks({0, 2, 4, 6, 8}, 1e-3, 3), "step", "copy and reverse"});
  draw_schedule(svg, toy, tiny, "green");
  draw_text(svg, {toy.x(50) + 12, toy.y(tiny.rate(50)) + 2}, "tiny, d_{model} = 64",
            "green bold halo");
  draw_text(svg, {90, 394},
            "lrate = scale · d_{model}^{−½} · min(step^{−½}, step · warmup^{−1.5});   scale: 1 in "
            "the paper, 0.35 for copy and reverse",
            "small muted halo");
  return svg;
}

Svg label_smoothing() {
  constexpr int V = 13, kTarget = 4;
  constexpr double kEpsilon = 0.1;
  Svg svg{880, 384, "Label smoothing: the targets, and the least loss",
          "Left, the smoothed target distribution over 13 tokens for epsilon = 0.1: 0.908 for the "
          "right token and 0.0077 for each other. Right, the least loss that any model can reach "
          "against epsilon, for vocabularies of 13 and of 37,000 tokens: 0.54 and 1.38 at epsilon "
          "= 0.1.",
          ""};
  const Axes bars = make_axes({70, 56, 340, 260}, -0.6, V - 0.4, 0, 1);
  std::vector<Tick> tokens;
  for (int v = 0; v < V; ++v) tokens.push_back({static_cast<double>(v), text(v)});
  draw_axes(svg, bars, {tokens, ticks({0, 0.2, 0.4, 0.6, 0.8, 1}), "token", "q, smoothed targets"});
  for (int v = 0; v < V; ++v) {
    const double q = (v == kTarget ? 1 - kEpsilon : 0) + kEpsilon / V;
    draw_bar(svg, bars, v - 0.36, v + 0.36, 0, q, v == kTarget ? "blue" : "orange");
  }
  draw_text(svg, {bars.x(kTarget + 0.6), bars.y(0.87)}, "1 − ε + ε/V = 0.9077", "blue bold halo");
  draw_text(svg, {bars.x(kTarget + 0.6), bars.y(0.87) + 20}, "the right token", "small blue halo");
  draw_text(svg, {bars.x(kTarget + 0.6), bars.y(0.08)}, "ε/V = 0.0077", "orange bold halo");
  draw_text(svg, {bars.x(kTarget + 0.6), bars.y(0.08) - 20}, "each of the others",
            "small orange halo");
  draw_text(svg, {bars.x(kTarget + 0.6), bars.y(0.5)}, "V = 13, ε = 0.1", "muted halo");

  const Axes floor = make_axes({490, 56, 350, 260}, 0, 0.3, 0, 4);
  draw_axes(svg, floor, {ticks({0, 0.1, 0.2, 0.3}), ticks({0, 1, 2, 3, 4}), "ε", "least loss"});
  const struct {
    int V;
    const char *name, *classes;
  } sizes[] = {{13, "V = 13", "green"}, {37000, "V = 37,000", "purple"}};
  draw_line(svg, floor(kEpsilon, 0), floor(kEpsilon, 4), "muted thin fine");
  draw_text(svg, {floor.x(kEpsilon) + 8, floor.y(4) + 14}, "the paper's ε", "small muted halo");
  for (const auto& size : sizes) {
    std::vector<Point> least;
    for (int i = 0; i <= 150; ++i) least.push_back({i * 0.002, least_loss(i * 0.002, size.V)});
    draw_curve(svg, floor, least, size.classes);
    const Point at = floor(kEpsilon, least_loss(kEpsilon, size.V));
    draw_circle(svg, at, 4, text("area ", size.classes));
    draw_text(svg, {at.x - 10, at.y - 10}, fixed_number(least_loss(kEpsilon, size.V), 2),
              text("bold small end halo ", size.classes));
    const Point end = floor(0.22, least_loss(0.22, size.V));
    draw_text(svg, {end.x + 8, end.y + 22}, size.name, text("bold halo ", size.classes));
  }
  return svg;
}

}  // namespace attn::walkthrough
