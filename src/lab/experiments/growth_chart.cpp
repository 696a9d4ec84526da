// A cost ~ sizeᵖ is a line of slope p. Names of curves that end near each other are spread.
#include "lab/experiments/growth_chart.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "app/drawing/chart.h"
#include "base/check.h"

namespace attn {

namespace {

constexpr double kGrowthLine = 16;  // between names
constexpr const char* kGrowthLooks[] = {"blue",          "blue thick",   "green",
                                        "green thick",   "orange",       "orange thick",
                                        "purple dashed", "purple fine",  "purple thick fine",
                                        "purple",        "purple thick", "green dashed"};

struct Label {
  double wanted, y;  // pixels
  std::string names, colour;
};

// Moves labels apart, from top to bottom, so that they are at least a line apart. Labels that would
// overlap form a group, centred on the mean of the places they want.
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

Svg growth_chart(const std::string& title, const std::string& x_title, std::vector<Growth> curves) {
  Range x, y;
  std::set<double> sizes;
  for (Growth& curve : curves) {
    std::vector<Point>& points = curve.points;
    const auto none = [](const Point& point) { return !(point.y > 0); };
    points.erase(std::remove_if(points.begin(), points.end(), none), points.end());
    for (const Point& point : points) {
      x.include(point.x);
      y.include(point.y);
      sizes.insert(point.x);
    }
  }
  ATTN_CHECK(sizes.size() >= 2, "growth needs two sizes to be drawn");
  const int low = static_cast<int>(std::floor(std::log10(y.low)));
  const int high = std::max(static_cast<int>(std::ceil(std::log10(y.high))), low + 1);

  Svg svg{880, 420, title,
          text(title, ": a curve for each kind, over ", x_title, "; both axes are logarithmic."),
          ""};
  Axes axes =
      make_axes({64, 46, 586, 326}, x.low, x.high, std::pow(10.0, low), std::pow(10.0, high));
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_text(svg, {64, 24}, title, "bold");
  draw_axes(svg, axes,
            {ticks({sizes.begin(), sizes.end()}, 6), powers_of_ten(low, high), x_title, ""});

  std::vector<Label> labels;
  for (std::size_t i = 0; i < curves.size(); ++i) {
    if (curves[i].points.empty()) continue;
    const std::string look = kGrowthLooks[i % std::size(kGrowthLooks)];
    draw_curve(svg, axes, curves[i].points, look + " line");
    const double end = axes.y(curves[i].points.back().y);
    const std::string colour = look.substr(0, look.find(' '));
    const auto same = std::find_if(labels.begin(), labels.end(), [&](const Label& label) {
      return std::abs(label.wanted - end) < 2 && label.colour == colour;
    });
    if (same == labels.end()) {
      labels.push_back({end, end, curves[i].name, colour});
    } else {
      same->names += ", " + curves[i].name;
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
