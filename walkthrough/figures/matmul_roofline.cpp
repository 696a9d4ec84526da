// The ladder of products on the roofline of the machine that measured it.
#include "examples/matmul_traffic.h"
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

// How the points of a rung look, and where its name is.
struct Rung {
  const char *name, *colour;
  const char* dot;        // its classes
  double radius;          // different ones where points of several rungs are almost the same
  std::size_t named;      // the point that the name is next to
  Point beside;           // from this point to the name
  const char *more, *at;  // what follows the name; its anchor
};

constexpr Rung kRungs[] = {
    {"matmul_naive", "orange", "area", 4, 3, {10, 18}, ", n = 1024, 2048", ""},
    {"matmul_reordered", "purple", "box", 6.5, 3, {-14, 0}, ", n = 1024, 2048", "end "},
    {"matmul_blocked", "blue", "area", 4.5, 1, {16, 14}, "", ""},
    {"matmul_packed", "green", "area", 3, 1, {16, -1}, "", ""},
    {"matmul_simd", "", "area", 4, 1, {16, 6}, "", ""},
    {"matmul", "", "area", 4, 0, {-14, 5}, ", 2 threads", "end "},
};

}  // namespace

Svg matmul_roofline(const std::string& measurements) {
  Svg svg{
      880, 552, "Products of matrices on the roofline",
      "A chart with logarithmic axes: operations a second against operations per byte that "
      "comes into the second cache. Two slanted lines, the bandwidths of the memory and of the "
      "third cache, meet a flat one, the processor's peak. For large matrices the first two "
      "rungs are at the left, the first just below the memory's slope, the second on the "
      "cache's; each further rung is higher or further to the right, up to the vectorised tiles "
      "and two threads just below the peak.",
      ""};
  const Table table = read_table(measurements, "intel/ladder");
  Axes axes = make_axes({80, 56, 780, 410}, 1.0 / 64, 512, 0.1, 1000);
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

  // The roofs: the peak of one thread, and what memory and the third cache (an array of 16 MiB) can
  // feed; the peak of all threads.
  const Table reads = read_table(measurements, "intel/reads");
  const double cache = number_in(reads.where("kib", "16384").rows.at(0), "read");
  for (const auto& row : table.where("rung", "peak").rows) {
    const double peak = number_in(row, "gflops"), read = number_in(row, "read");
    const bool one = row.at("threads") == "1";
    std::vector<Point> roof{{peak / read, peak}, {axes.x.high, peak}};
    if (one) {
      roof.insert(roof.begin(), {axes.x.low, axes.x.low * read});
      const Point at = axes(0.125, 0.125 * read);
      draw_text(svg, {at.x + 16, at.y + 16}, text("memory: ", short_number(read, 1), " GB/s"),
                "small muted halo");
      draw_curve(svg, axes,
                 {{axes.x.low, axes.x.low * cache}, {peak / cache, peak}, {peak / read, peak}},
                 "muted");
      const Point beside = axes(0.125, 0.125 * cache);
      draw_text(svg, {beside.x - 12, beside.y - 8}, text("L3: ", short_number(cache, 0), " GB/s"),
                "small muted halo end");
    }
    draw_curve(svg, axes, roof, one ? "muted" : "muted dashed");
    draw_text(svg, {axes.x.to, axes.y(peak) - 6},
              one ? text("peak: ", short_number(peak, 0))
                  : text("peak of ", row.at("threads"), " threads: ", short_number(peak, 0)),
              "small muted halo end");
  }

  // In every rung, matrices of these sizes come into L2 once.
  for (const int n : {256, 512}) {
    const double x = n / 6.0;
    draw_line(svg, axes(x, axes.y.low), axes(x, 345), "muted thin fine");
    draw_text(svg, {axes.x(x) + (n == 256 ? -6 : 6), axes.y.from - 12}, text("n = ", n),
              n == 256 ? "small muted end" : "small muted");
  }
  for (const Rung& rung : kRungs) {
    std::vector<Point> points;
    for (const auto& row : table.where("rung", rung.name).rows) {
      points.push_back(
          {operations_per_byte(rung.name, number_in(row, "size")), number_in(row, "gflops")});
    }
    draw_curve(svg, axes, points, text("thin ", rung.colour));
    for (const Point& p : points) {
      draw_circle(svg, axes(p.x, p.y), rung.radius, text(rung.dot, ' ', rung.colour));
    }
    const Point named = axes(points[rung.named].x, points[rung.named].y);
    draw_text(svg, {named.x + rung.beside.x, named.y + rung.beside.y}, text(rung.name, rung.more),
              text("small halo ", rung.at, rung.colour));
  }
  const Point both = axes(27.3, 47);
  draw_text(svg, {both.x + 18, both.y - 12}, "n = 1024, 2048", "small muted halo end");
  draw_text(svg, {80, 536},
            "The peaks are measured by themselves. matmul_simd and matmul: n = 1024 and 2048 stand "
            "between 256 and 512.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
