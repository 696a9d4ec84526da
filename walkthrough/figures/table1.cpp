// Chapter 4: what the layers of Table 1 cost, counted while this is drawn.
#include "lab/benchmark/table1.h"

#include "figures.h"

namespace attn::walkthrough {

Svg table1_work() {
  Svg svg{880, 510, "Multiply-adds of a layer against the length",
          "Seven layers of width 128 against the length, from 16 to 1024 positions, both axes "
          "logarithmic. Restricted self-attention, recurrent and convolutional layers are parallel "
          "straight lines, from the LSTM down to a separable convolution. Self-attention rises "
          "more steeply, and crosses the LSTM at 256 positions.",
          ""};
  Axes axes = make_axes({80, 50, 560, 380}, 16, 1024, 1e5, 1e9);
  axes.x.logarithmic = axes.y.logarithmic = true;
  draw_axes(svg, axes,
            {ticks({16, 32, 64, 128, 256, 512, 1024}, 4), powers_of_ten(5, 9), "length n",
             "multiply-adds, d = 128, k = 3, r = 9"});
  const char* const colours[] = {"purple thick", "purple dashed", "blue",  "blue thick",
                                 "green",        "green dashed",  "orange"};
  const std::size_t kinds = compared_layers({16}).size();
  ATTN_CHECK_EQ(kinds, std::size(colours), "layers and their colours");
  for (std::size_t i = 0; i < kinds; ++i) {
    std::vector<Point> points;
    std::string name;
    for (Index n = 16; n <= 1024; n *= 2) {
      const ComparedLayer layer = compared_layers({n})[i];
      points.push_back({to_double(n), to_double(multiply_adds(layer))});
      name = layer.name;
    }
    if (name == "convolution, dilated") continue;  // where the contiguous one is
    draw_curve(svg, axes, points, colours[i]);
    const Point end = axes(points.back().x, points.back().y);
    draw_text(svg, {end.x + 10, end.y + 5}, name, "small");
  }
  return svg;
}

}  // namespace attn::walkthrough
