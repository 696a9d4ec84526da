// The ladder of products on the roofline of the machine that measured it.
#include <algorithm>
#include <cmath>

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
  Svg svg{880, 520, "Products of matrices on the roofline",
          "A chart with logarithmic axes: operations a second against operations a byte. A slanted "
          "line, the memory's bandwidth, meets a flat one, the processor's peak. Points below, for "
          "square matrices of four sizes, climb from the three plain loops, more than a hundred "
          "times below the peak, over the reordered, blocked and packed loops to the "
          "vectorised tiles and to two threads near the peak.",
          ""};
  const Table table = read_table(measurements, "ladder");
  Axes axes = make_axes({80, 56, 560, 380}, 4, 512, 0.1, 1000);
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_axes(svg, axes,
            {{{4, "4"},
              {8, "8"},
              {16, "16"},
              {32, "32"},
              {64, "64"},
              {128, "128"},
              {256, "256"},
              {512, "512"}},
             ticks({0.1, 1, 10, 100, 1000}),
             "operations a byte, if each matrix goes through memory once (n/6)",
             "GFLOP/s"});

  // The roofs: the peak of one thread and of all, and what memory can feed.
  for (const auto& row : table.where("rung", "peak").rows) {
    const double peak = number_in(row, "gflops"), read = number_in(row, "read");
    const bool one = row.at("threads") == "1";
    const double low = std::max(axes.x.low, axes.y.low / read);
    draw_curve(svg, axes, {{low, low * read}, {peak / read, peak}, {axes.x.high, peak}},
               one ? "muted" : "muted dashed");
    // To the left of all points: the fastest are close below.
    draw_text(svg, {axes.x(peak / read) + 6, axes.y(peak) - 8},
              one ? text("peak: ", short_number(peak, 0))
                  : text("peak of ", row.at("threads"), " threads: ", short_number(peak, 0)),
              "small muted halo");
    if (one) {
      draw_text(svg, {axes.x(low) + 40, axes.y(low * read) + 14},
                text("memory: ", short_number(read, 1), " GB/s"), "small muted halo");
    }
  }

  for (const auto& row : table.where("rung", "matmul").rows) {
    draw_text(svg, {axes.x(number_in(row, "size") / 6), axes.area().bottom() - 8},
              text("n = ", row.at("size")), "small muted middle");
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
      points.push_back({number_in(row, "size") / 6, number_in(row, "gflops")});
    }
    draw_curve(svg, axes, points, text("thin ", colour));
    for (const Point& p : points) draw_circle(svg, axes(p.x, p.y), 4, text("area ", colour));
    labels.push_back({axes.y(points.back().y) + 5,
                      text(rung, ": ", short_number(points.back().y, points.back().y < 10 ? 1 : 0),
                           all ? text(" (", rows.rows[0].at("threads"), " threads)") : "")});
  }
  spread(labels, 18);
  for (const Label& label : labels) {
    draw_text(svg, {axes.x.to + 14, label.y}, label.words, "small");
  }
  return svg;
}

}  // namespace attn::walkthrough
