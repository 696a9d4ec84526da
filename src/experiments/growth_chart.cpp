#include "experiments/growth_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/check.h"
#include "figures/chart.h"

namespace attn {

namespace {

constexpr double kGrowthWidth = 720, kGrowthHeight = 420, kGrowthLeft = 64, kGrowthRight = 210,
                 kGrowthTop = 56, kGrowthBottom = 48;
constexpr double kGrowthLine = 16;  // between names
constexpr const char* kGrowthLooks[] = {"blue",          "blue thick",  "green",
                                        "green thick",   "orange",      "orange thick",
                                        "purple dashed", "purple fine", "purple"};

struct Label {
  double wanted, y;  // pixels
  std::string names, look;
};

// From above to below, at least a line apart, each as near to where it belongs as those above
// allow.
void spread(std::vector<Label>& labels) {
  std::sort(labels.begin(), labels.end(),
            [](const Label& a, const Label& b) { return a.wanted < b.wanted; });
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i].y =
        i == 0 ? labels[i].wanted : std::max(labels[i].wanted, labels[i - 1].y + kGrowthLine);
  }
}

}  // namespace

Svg growth_chart(const std::string& title, const std::string& x_title, const std::string& y_title,
                 const std::vector<Growth>& curves) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  double x_low = infinity, x_high = -infinity, y_low = infinity, y_high = -infinity;
  std::vector<Tick> sizes;
  for (const Growth& curve : curves) {
    for (const Point& point : curve.points) {
      if (!(point.y > 0)) continue;
      x_low = std::min(x_low, point.x);
      x_high = std::max(x_high, point.x);
      y_low = std::min(y_low, point.y);
      y_high = std::max(y_high, point.y);
      const std::vector<Tick> here = ticks({point.x}, 6);
      const bool known = std::any_of(sizes.begin(), sizes.end(),
                                     [&](const Tick& tick) { return tick.value == point.x; });
      if (!known) sizes.push_back(here[0]);
    }
  }
  ATTN_CHECK(x_low < x_high, "growth needs two sizes to be drawn");
  const int powers_low = static_cast<int>(std::floor(std::log10(y_low)));
  const int powers_high = std::max(static_cast<int>(std::ceil(std::log10(y_high))), powers_low + 1);

  Svg svg{kGrowthWidth, kGrowthHeight, title,
          text("Curves of ", y_title, " against ", x_title, ", both axes logarithmic."), ""};
  Axes axes = make_axes({kGrowthLeft, kGrowthTop, kGrowthWidth - kGrowthLeft - kGrowthRight,
                         kGrowthHeight - kGrowthTop - kGrowthBottom},
                        x_low, x_high, std::pow(10.0, powers_low), std::pow(10.0, powers_high));
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_text(svg, {kGrowthLeft, 20}, title, "bold");
  draw_axes(svg, axes, {sizes, powers_of_ten(powers_low, powers_high), x_title, y_title});

  std::vector<Label> labels;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    const std::string look = kGrowthLooks[i % std::size(kGrowthLooks)];
    std::vector<Point> points;
    for (const Point& point : curves[i].points) {
      if (point.y > 0) points.push_back(point);
    }
    if (points.empty()) continue;
    draw_curve(svg, axes, points, look + " line");
    const double y = axes.y(points.back().y);
    const auto same = std::find_if(labels.begin(), labels.end(), [&](const Label& label) {
      return std::abs(label.wanted - y) < 2;
    });
    if (same != labels.end()) {
      same->names += ", " + curves[i].name;
    } else {
      labels.push_back({y, y, curves[i].name, look.substr(0, look.find(' '))});
    }
  }
  spread(labels);
  for (const Label& label : labels) {
    draw_text(svg, {kGrowthWidth - kGrowthRight + 8, label.y + 4}, label.names,
              "small " + label.look);
  }
  return svg;
}

}  // namespace attn
