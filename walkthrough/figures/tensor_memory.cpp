// A matrix, the same numbers as a strip of memory, and a view of four of them.
#include "figures.h"
#include "tensor/matrix_view.h"

namespace attn::walkthrough {

Svg tensor_memory() {
  constexpr Index kRows = 7, kCols = 4, kBegin = 5, kHead = 2;
  Tensor x = Tensor::zeros({kRows, kCols});
  for (Index i = 0; i < kRows; ++i) {
    for (Index j = 0; j < kCols; ++j) x(i, j) = static_cast<Real>(10 * i + j);
  }
  const ConstMatrixView view = block(x, kBegin, kRows, kHead, 2);
  const auto in_view = [&](Index number) {
    for (Index i = 0; i < view.rows; ++i) {
      for (Index j = 0; j < view.cols; ++j) {
        if (&view(i, j) - x.data() == number) return true;
      }
    }
    return false;
  };
  const Index first = view.data - x.data();

  Svg svg{
      880, 470, "A matrix in memory",
      text("A matrix of 7 rows and 4 columns, and below it the same 28 numbers as one strip, row "
           "after row. Four numbers are marked: a view that begins at number ",
           first, " with a row stride of ", view.row_stride, " and a column stride of ",
           view.col_stride, "."),
      ""};
  const auto draw_cell = [&](const Rect& cell, Index number) {
    const Index row = number / kCols;
    if (in_view(number)) {
      draw_rect(svg, cell, "box orange");
    } else {
      draw_rect(svg, cell, row < kBegin ? "tint blue" : "tint green");
      draw_rect(svg, cell, "line thin muted");
    }
    draw_text(svg, {cell.middle(), cell.centre() + 4}, text(static_cast<int>(x[number])),
              in_view(number) ? "mono middle bold orange" : "mono middle");
  };

  // The matrix.
  const std::vector<std::string> words{"Jane",      "visite", "l'Afrique", "en",
                                       "septembre", "Jane",   "visite"};
  constexpr double kWide = 46, kHigh = 30;
  const Point corner{130, 50};
  draw_text(svg, {corner.x, 24}, "x [7, 4]", "bold");
  for (Index number = 0; number < kRows * kCols; ++number) {
    const double i = static_cast<double>(number / kCols), j = static_cast<double>(number % kCols);
    draw_cell({corner.x + j * kWide, corner.y + i * kHigh, kWide, kHigh}, number);
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    draw_text(svg, {corner.x - 12, corner.y + static_cast<double>(i) * kHigh + 20}, words[i],
              static_cast<Index>(i) < kBegin ? "end blue" : "end green");
  }
  draw_text(svg, {corner.x + kWide, corner.y - 8}, "head 1", "small middle muted");
  draw_text(svg, {corner.x + 3 * kWide, corner.y - 8}, "head 2", "small middle orange");

  const double right = 400;
  draw_text(svg, {right, 90}, "The second head of the second sentence:", "bold orange");
  draw_text(svg, {right, 116},
            text("begins at number ", first, ";  ", view.rows, " rows, ", view.cols, " columns"));
  draw_text(svg, {right, 140},
            text("row stride ", view.row_stride, ", column stride ", view.col_stride));
  const ConstMatrixView turned = transposed(view);
  draw_text(svg, {right, 184}, "Its transpose:", "bold orange");
  draw_text(svg, {right, 210},
            text("begins at number ", turned.data - x.data(), ";  ", turned.rows, " rows, ",
                 turned.cols, " columns"));
  draw_text(svg, {right, 234},
            text("row stride ", turned.row_stride, ", column stride ", turned.col_stride));

  // The strip.
  constexpr double kCell = 29;
  const Point strip{34, 330};
  draw_text(svg, {strip.x, strip.y - 34}, "Memory", "bold");
  for (Index number = 0; number < kRows * kCols; ++number) {
    const double left = strip.x + static_cast<double>(number) * kCell;
    draw_cell({left, strip.y, kCell, kHigh}, number);
    if (number % kCols == 0 || in_view(number)) {
      draw_text(svg, {left + kCell / 2, strip.y - 8}, text(number), "small middle muted");
    }
  }
  for (Index row = 0; row <= kRows; ++row) {
    const double at = strip.x + static_cast<double>(row * kCols) * kCell;
    draw_line(svg, {at, strip.y}, {at, strip.y + kHigh}, "line");
    if (row < kRows) {
      draw_text(svg, {at + 2 * kCell, strip.y + kHigh + 18}, text("row ", row),
                "small middle muted");
    }
  }
  const auto middle = [&](Index number) {
    return strip.x + (static_cast<double>(number) + 0.5) * kCell;
  };
  const double below = strip.y + kHigh + 30, step = below + 22;
  const Index next = first + view.row_stride;
  draw_arrow(
      svg,
      {{middle(first), below}, {middle(first), step}, {middle(next), step}, {middle(next), below}},
      "line orange");
  draw_text(svg, {(middle(first) + middle(next)) / 2, step + 20},
            text("row stride ", view.row_stride), "middle orange");
  const double above = strip.y - 26, top = above - 14;
  const Index beside = first + view.col_stride;
  draw_arrow(svg,
             {{middle(first), above},
              {middle(first), top},
              {middle(beside), top},
              {middle(beside), above}},
             "line orange");
  draw_text(svg, {(middle(first) + middle(beside)) / 2, top - 8},
            text("column stride ", view.col_stride), "middle orange");
  return svg;
}

}  // namespace attn::walkthrough
