// The ladder of products on the roofline of the machine that measured it.
#include <algorithm>
#include <cmath>

#include "examples/matmul_traffic.h"
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

struct Label {
  double y;
  std::string words;
};

// Moves labels down until none is nearer than `distance` to the one above.
void spread(std::vector<Label>& labels, double distance) {
  std::stable_sort(labels.begin(), labels.end(),
                   [](const Label& a, const Label& b) { return a.y < b.y; });
  for (std::size_t i = 1; i < labels.size(); ++i) {
    labels[i].y = std::max(labels[i].y, labels[i - 1].y + distance);
  }
}

}  // namespace

Svg matmul_roofline(const std::string& measurements) {
  Svg svg{880, 540, "Products of matrices on the roofline",
          "A chart with logarithmic axes: operations a second against operations per byte that "
          "comes into the second cache. A slanted line, the memory's bandwidth, meets a flat one, "
          "the processor's peak. The three plain loops stand at the left, below the slope, for "
          "large matrices; each further rung is higher or further to the right, up to the "
          "vectorised tiles and two threads just below the peak.",
          ""};
  const Table table = read_table(measurements, "ladder");
  Axes axes = make_axes({80, 56, 580, 390}, 1.0 / 64, 512, 0.1, 1000);
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_axes(svg, axes,
            {{{1.0 / 64, "1/64"},
              {1.0 / 32, "1/32"},
              {1.0 / 8, "1/8"},
              {1.0 / 2, "1/2"},
              {2, "2"},
              {8, "8"},
              {32, "32"},
              {128, "128"},
              {512, "512"}},
             ticks({0.1, 1, 10, 100, 1000}),
             "operations per byte that comes into L2, counted from the loops",
             "GFLOP/s (float32)"});

  // The roofs: the peak of one thread and of all, and what memory can feed.
  for (const auto& row : table.where("rung", "peak").rows) {
    const double peak = number_in(row, "gflops"), read = number_in(row, "read");
    const bool one = row.at("threads") == "1";
    const double low = std::max(axes.x.low, axes.y.low / read);
    draw_curve(svg, axes, {{low, low * read}, {peak / read, peak}, {axes.x.high, peak}},
               one ? "muted" : "muted dashed");
    draw_text(svg, {axes.x(2), axes.y(peak) + (one ? 5 : -4)},
              one ? text("peak: ", short_number(peak, 0))
                  : text("peak of ", row.at("threads"), " threads: ", short_number(peak, 0)),
              "small muted halo end");
    if (one) {
      const Point at = axes(0.125, 0.125 * read);
      draw_text(svg, {at.x + 16, at.y + 16}, text("memory: ", short_number(read, 1), " GB/s"),
                "small muted halo");
    }
  }

  std::vector<std::string> rungs;
  for (const auto& row : table.rows) {
    const std::string& rung = row.at("rung");
    if (rung != "peak" && std::find(rungs.begin(), rungs.end(), rung) == rungs.end()) {
      rungs.push_back(rung);
    }
  }
  std::vector<Label> labels;
  for (const std::string& rung : rungs) {
    const bool all = rung == "matmul";
    const char* const colour = all ? "green" : "blue";
    std::vector<Point> points;
    const Table rows = table.where("rung", rung);
    for (const auto& row : rows.rows) {
      points.push_back(
          {operations_per_byte(rung, number_in(row, "size")), number_in(row, "gflops")});
    }
    draw_curve(svg, axes, points, text("thin ", colour));
    for (const Point& p : points) draw_circle(svg, axes(p.x, p.y), 4, text("area ", colour));
    labels.push_back({axes.y(points.back().y) + 5,
                      text(rung, ": ", short_number(points.back().y, points.back().y < 10 ? 1 : 0),
                           all ? text(" (", rows.rows[0].at("threads"), " threads)") : "")});
  }
  const Point far_left = axes(1.0 / 32, 0.32), left = axes(0.5, 14.7), right = axes(60, 2.2);
  draw_text(svg, {far_left.x - 10, far_left.y + 24}, "n = 1024, 2048", "small muted halo");
  draw_text(svg, {left.x - 12, left.y - 8}, "n = 1024, 2048", "small muted halo end");
  draw_text(svg, {right.x, right.y + 28}, "n = 256, 512", "small muted halo middle");
  spread(labels, 18);
  for (const Label& label : labels) {
    draw_text(svg, {axes.x.to + 14, label.y}, label.words, "small");
  }
  return svg;
}

}  // namespace attn::walkthrough
