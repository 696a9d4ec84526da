// The ladder of products: what each rung touches in its innermost loops, with its speed as a bar;
// and what each cache holds at the last rungs.
#include "figures.h"
#include "kernels/simd/matmul_block.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

constexpr double kSide = 120;  // of a matrix
constexpr int kCells = 12;     // along a side
constexpr double kCell = kSide / kCells;
constexpr double kTop = 40;

struct Cells {
  double row, col, rows, cols;
};

Rect place(double left, const Cells& c) {
  return {left + c.col * kCell, kTop + c.row * kCell, c.cols * kCell, c.rows * kCell};
}

void draw_cells(Svg& svg, double left, const Cells& cells, std::string_view classes) {
  draw_rect(svg, place(left, cells), classes);
}

void draw_matrix(Svg& svg, double left, const std::string& name) {
  const Rect area{left, kTop, kSide, kSide};
  draw_grid(svg, area, kCells, kCells, "grid thin");
  draw_rect(svg, area, "line thin muted");
  draw_text(svg, {area.middle(), kTop - 12}, name, "middle bold");
}

// The way of the innermost loop: along a row, or down a column.
void draw_way(Svg& svg, double left, Point from, Point to, std::string_view classes) {
  draw_arrow(
      svg,
      {{left + from.x * kCell, kTop + from.y * kCell}, {left + to.x * kCell, kTop + to.y * kCell}},
      classes);
}

constexpr double kA = 40, kB = 200, kC = 360;  // left edges

void draw_naive(Svg& svg) {
  draw_cells(svg, kA, {4, 0, 1, 12}, "area blue");
  for (int k = 0; k < kCells; ++k) draw_cells(svg, kB, {k + 0.1, 7.1, 0.8, 0.8}, "area orange");
  draw_cells(svg, kC, {4, 7, 1, 1}, "area green");
  draw_way(svg, kB, {9, 0}, {9, 12}, "line orange");
}

void draw_reordered(Svg& svg) {
  draw_cells(svg, kA, {4, 3, 1, 1}, "area blue");
  draw_cells(svg, kB, {0, 0, 12, 12}, "tint orange");
  draw_cells(svg, kB, {3, 0, 1, 12}, "area orange");
  draw_cells(svg, kC, {4, 0, 1, 12}, "area green");
  draw_way(svg, kB, {0, 5}, {12, 5}, "line orange");
  draw_way(svg, kC, {0, 6}, {12, 6}, "line green");
}

void draw_blocked(Svg& svg) {
  draw_cells(svg, kA, {0, 3, 12, 3}, "tint blue");
  draw_cells(svg, kA, {4, 4, 1, 1}, "area blue");
  draw_cells(svg, kB, {3, 0, 3, 6}, "box orange");
  draw_cells(svg, kB, {4, 0, 1, 6}, "area orange");
  draw_cells(svg, kC, {0, 0, 12, 6}, "tint green");
  draw_cells(svg, kC, {4, 0, 1, 6}, "area green");
  draw_way(svg, kB, {0, 7}, {6, 7}, "line orange");
}

void draw_packed(Svg& svg) {
  draw_cells(svg, kA, {0, 3, 12, 3}, "tint blue");
  draw_cells(svg, kA, {4, 4, 1, 1}, "area blue");
  draw_cells(svg, kB, {3, 0, 3, 6}, "box orange");
  draw_cells(svg, kC, {0, 0, 12, 6}, "tint green");
  draw_cells(svg, kC, {4, 0, 1, 6}, "area green");
  // The copy: three rows end to end.
  const double y = kTop + kSide + 26, x = kB - 60, wide = 80;
  for (int row = 0; row < 3; ++row) {
    draw_rect(svg, {x + row * wide, y, wide, kCell}, row == 1 ? "area orange" : "box orange");
  }
  draw_arrow(svg, {{kB + 3 * kCell, kTop + 6 * kCell + 2}, {kB + 3 * kCell, y - 3}}, "line orange");
}

void draw_tiles(Svg& svg) {
  draw_cells(svg, kA, {3, 0, 3, 12}, "tint blue");
  draw_cells(svg, kA, {3, 4, 3, 1}, "area blue");
  draw_cells(svg, kB, {0, 4, 12, 4}, "tint orange");
  draw_cells(svg, kB, {4, 4, 1, 4}, "area orange");
  draw_cells(svg, kC, {3, 4, 3, 4}, "area green");
  draw_way(svg, kA, {4.5, 7}, {8, 7}, "line blue");
  draw_way(svg, kB, {9, 4.5}, {9, 8}, "line orange");
}

void draw_threads(Svg& svg) {
  for (int panel = 0; panel < 4; ++panel) {
    const char* const colour = panel < 2 ? "box blue" : "box purple";
    draw_cells(svg, kA, {panel * 3.0, 0, 3, 12}, colour);
    draw_cells(svg, kC, {panel * 3.0, 0, 3, 12}, colour);
  }
  draw_cells(svg, kB, {0, 0, 12, 12}, "tint orange");
  draw_text(svg, {kB + kSide / 2, kTop + kSide / 2 + 5}, "shared", "middle small orange halo");
}

struct Pattern {
  const char* rung;
  void (*draw)(Svg& svg);
  const char* words[2];
};

constexpr Pattern kPatterns[] = {
    {"matmul_naive",
     draw_naive,
     {"A along a row, B down a column:", "a new line for every number"}},
    {"matmul_reordered", draw_reordered, {"B and C along rows; all of B", "for every row of C"}},
    {"matmul_blocked", draw_blocked, {"a block of B, which stays in L2,", "for all rows of C"}},
    {"matmul_packed", draw_packed, {"the same, the block copied", "into one piece"}},
    {"matmul_simd", draw_tiles, {"a tile of C in registers,", "while k runs"}},
    {"matmul",
     draw_threads,
     {"panels of A and C: one thread blue,", "the other purple; both read B"}},
};

// A speed with three digits.
std::string speed(double gflops) {
  return short_number(gflops, gflops < 10 ? 2 : gflops < 100 ? 1 : 0);
}

}  // namespace

Svg matmul_rung(const std::string& measurements, int number) {
  const Pattern& pattern = kPatterns[number - 1];
  const auto row = read_table(measurements, "intel/ladder")
                       .where("rung", pattern.rung)
                       .where("size", "1024")
                       .rows[0];
  const double share = number_in(row, "share"), gflops = number_in(row, "gflops");
  const std::string threads = row.at("threads");
  Svg svg{880, number == 4 ? 214.0 : 184.0,
          text("Rung ", number, ": what it touches, and how fast it is"),
          text("Three matrices with what the innermost loops touch: ", pattern.words[0], " ",
               pattern.words[1], ". A bar: ", speed(gflops), " GFLOP/s, ", short_number(share, 1),
               " percent of the peak around its run."),
          ""};
  draw_matrix(svg, kA, "A");
  draw_matrix(svg, kB, "B");
  draw_matrix(svg, kC, "C");
  draw_text(svg, {(kA + kSide + kB) / 2, kTop + kSide / 2 + 6}, "×", "middle large");
  draw_text(svg, {(kB + kSide + kC) / 2, kTop + kSide / 2 + 6}, "=", "middle large");
  pattern.draw(svg);

  const double left = 530, wide = 320;
  draw_text(svg, {left, kTop + 6}, pattern.words[0], "small");
  draw_text(svg, {left, kTop + 24}, pattern.words[1], "small");
  const Rect roof{left, kTop + 38, wide, 24};
  draw_rect(svg, {roof.x, roof.y, wide * share / 100, roof.height}, "area green");
  draw_rect(svg, roof, "line thin muted");
  draw_text(svg, {left, roof.bottom() + 22}, text(speed(gflops), " GFLOP/s"), "bold");
  draw_text(svg, {left, roof.bottom() + 42},
            text(short_number(share, 1), " % of the peak around its run"), "small");
  draw_text(svg, {left, roof.bottom() + 61},
            text("n = 1024, float32, ", threads, threads == "1" ? " thread" : " threads"),
            "small muted");
  return svg;
}

Svg matmul_caches() {
  constexpr Index kRows = 14, kVectors = 2, kWidth = 16;  // the tile of AVX-512, in floats
  constexpr Index kColumns = kVectors * kWidth, kBytes = 4;
  static_assert(kBlockDepth == 512 && kBlockColumns == 512, "the sizes in the text");
  Svg svg{880, 480, "What each cache holds while a tile is computed",
          "B above C, and A to the left of C. A tile of C, 14 by 32 numbers, is in registers. It "
          "needs a panel of A, 14 rows, and a panel of B, 32 columns, both 512 deep and both from "
          "L2, where the block of B, 512 by 512, stays. The matrices themselves are in memory.",
          ""};
  const Rect b{250, 40, 230, 150}, a{50, 216, 174, 220}, c{250, 216, 230, 220};
  for (const Rect& matrix : {a, b, c}) draw_rect(svg, matrix, "line muted");
  draw_text(svg, {a.x + 8, a.bottom() - 10}, "A", "bold muted large");
  draw_text(svg, {b.right() - 22, b.bottom() - 10}, "B", "bold muted large");
  draw_text(svg, {c.right() - 22, c.bottom() - 10}, "C", "bold muted large");

  // The block of B, the columns of A that belong to it, and what the tile needs of both.
  const Rect block{b.x + 20, b.y + 40, 150, 70};
  draw_rect(svg, block, "box blue");
  draw_text(svg, {block.x + 8, block.y + 20}, "block of B", "small blue");
  const Rect depth{a.x + 46, a.y, 80, a.height};
  draw_rect(svg, depth, "line thin muted dashed");
  const Rect panel_a{depth.x, a.y + 82, depth.width, 30};
  draw_rect(svg, panel_a, "box green");
  const Rect panel_b{block.x + 98, block.y, 40, block.height};
  draw_rect(svg, panel_b, "box purple");
  const Rect tile{panel_b.x, panel_a.y, panel_b.width, panel_a.height};
  draw_rect(svg, tile, "area orange");
  draw_line(svg, {panel_b.x, panel_b.bottom()}, {panel_b.x, tile.y}, "thin purple line fine");
  draw_line(svg, {panel_b.right(), panel_b.bottom()}, {panel_b.right(), tile.y},
            "thin purple line fine");
  draw_line(svg, {panel_a.right(), panel_a.y}, {tile.x, tile.y}, "thin green line fine");
  draw_line(svg, {panel_a.right(), panel_a.bottom()}, {tile.x, tile.bottom()},
            "thin green line fine");
  const double k_middle = (depth.x + depth.right()) / 2;
  draw_text(svg, {k_middle, a.y - 8}, text("k: ", kBlockDepth), "small muted middle");

  // From the nearest to the farthest.
  const double x = 530;
  double y = 66;
  const auto explain = [&](const char* look, const char* colour, const std::string& name,
                           const std::string& size, const std::string& where) {
    draw_rect(svg, {x, y - 14, 18, 18}, text(look, ' ', colour));
    draw_text(svg, {x + 30, y}, name, text("bold ", colour));
    draw_text(svg, {x + 30, y + 22}, size, "small");
    draw_text(svg, {x + 30, y + 41}, where, "small muted");
    y += 86;
  };
  explain("area", "orange", "Registers: the tile of C",
          text(kRows, " × ", kColumns, " numbers in ", kRows * kVectors, " of 32 registers"),
          "loaded and stored once per block of k");
  explain(
      "box", "green", "L2: a panel of A",
      text(kRows, " × ", kBlockDepth, " numbers, ", kRows * kBlockDepth * kBytes / 1024, " KiB"),
      "packed; read again for every panel of B");
  explain("box", "purple", "L2: a panel of B",
          text(kBlockDepth, " × ", kColumns, " numbers, ", kBlockDepth * kColumns * kBytes / 1024,
               " KiB"),
          "streams past, once per panel of A");
  explain("box", "blue", "L2: the block of B",
          text(kBlockDepth, " × ", kBlockColumns, " numbers, ",
               kBlockDepth * kBlockColumns * kBytes / 1024 / 1024, " MiB"),
          "stays for all panels of A");
  explain("line", "muted", "L3 and memory: A, B, C", "everything",
          "each block comes from here once");
  return svg;
}

}  // namespace attn::walkthrough
