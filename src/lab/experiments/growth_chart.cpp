#include "lab/experiments/growth_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "base/check.h"
#include "lab/figures/chart.h"

namespace attn {

namespace {

constexpr double kGrowthWidth = 880, kGrowthHeight = 420, kGrowthLeft = 64, kGrowthRight = 230,
                 kGrowthTop = 46, kGrowthBottom = 48;
constexpr double kGrowthLine = 16;  // between names
constexpr const char* kGrowthLooks[] = {"blue",          "blue thick",  "green",
                                        "green thick",   "orange",      "orange thick",
                                        "purple dashed", "purple fine", "purple"};

struct Label {
  double wanted, y;  // pixels
  std::string names, colour;
};

// From above to below, at least a line apart. Labels that would be nearer than that are a group of
// lines, which has its middle where those of its labels have theirs.
void spread(std::vector<Label>& labels) {
  std::sort(labels.begin(), labels.end(),
            [](const Label& a, const Label& b) { return a.wanted < b.wanted; });
  struct Group {
    double sum;  // of the places at which its labels would have the group begin
    std::size_t size;
    double begin() const { return sum / static_cast<double>(size); }
    double end() const { return begin() + static_cast<double>(size) * kGrowthLine; }
  };
  std::vector<Group> groups;
  for (const Label& label : labels) {
    groups.push_back({label.wanted, 1});
    while (groups.size() > 1 && groups.back().begin() < groups[groups.size() - 2].end()) {
      const Group last = groups.back();
      groups.pop_back();
      Group& before = groups.back();
      before.sum += last.sum - static_cast<double>(last.size * before.size) * kGrowthLine;
      before.size += last.size;
    }
  }
  auto label = labels.begin();
  for (const Group& group : groups) {
    for (std::size_t line = 0; line < group.size; ++line) {
      (label++)->y = group.begin() + static_cast<double>(line) * kGrowthLine;
    }
  }
}

}  // namespace

Svg growth_chart(const std::string& title, const std::string& x_title,
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
          text(title, ": a curve for each kind, over ", x_title, "; both axes are logarithmic."),
          ""};
  Axes axes = make_axes({kGrowthLeft, kGrowthTop, kGrowthWidth - kGrowthLeft - kGrowthRight,
                         kGrowthHeight - kGrowthTop - kGrowthBottom},
                        x_low, x_high, std::pow(10.0, powers_low), std::pow(10.0, powers_high));
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_text(svg, {kGrowthLeft, 24}, title, "bold");
  draw_axes(svg, axes, {sizes, powers_of_ten(powers_low, powers_high), x_title, ""});

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
    const std::string colour = look.substr(0, look.find(' '));
    const auto same = std::find_if(labels.begin(), labels.end(), [&](const Label& label) {
      return std::abs(label.wanted - y) < 2 && label.colour == colour;
    });
    if (same != labels.end()) {
      same->names += ", " + curves[i].name;
    } else {
      labels.push_back({y, y, curves[i].name, colour});
    }
  }
  spread(labels);
  for (const Label& label : labels) {
    const double right = axes.x.to;
    draw_line(svg, {right + 3, label.wanted}, {right + 18, label.y}, "thin " + label.colour);
    draw_text(svg, {right + 23, label.y + 4}, label.names, "small " + label.colour);
  }
  return svg;
}

}  // namespace attn
