// Where the time of a training step goes: one bar, from a table.
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

Svg step_time(const std::string& measurements) {
  struct Part {
    const char *row, *name, *colour;
  };
  const std::vector<Part> parts{{"feed-forward", "feed-forward", "blue"},
                                {"attention", "attention", "orange"},
                                {"output_and_loss", "output and loss", "green"},
                                {"Adam", "Adam, zeroing", "purple"},
                                {"other", "norms, dropout, embeddings", "muted"}};
  const Table table = read_table(measurements, "intel/parts");
  ATTN_CHECK_EQ(parts.size(), table.rows.size(), "parts of a step");
  std::vector<double> times;  // ms of each part
  double all = 0;
  for (const Part& part : parts) {
    times.push_back(number_in(table.where("part", part.row).rows[0], "ms"));
    all += times.back();
  }
  std::string words;
  std::vector<std::string> shares;
  for (const double time : times) {
    shares.push_back(short_number(100 * time / all, 1));
    words += text(words.empty() ? "" : ", ", parts[shares.size() - 1].name, " ", shares.back(),
                  " percent");
  }

  Svg svg{880, 190, "Where a step's time goes", text("One bar, in parts: ", words, "."), ""};
  const Rect bar{30, 70, 820, 46};
  draw_text(svg, {bar.x, 34}, "A training step of the base model", "bold");
  draw_text(svg, {bar.x, 54},
            text("sum of its parts: ", short_number(all, 0), " ms, float32, two threads"),
            "small muted");
  double x = bar.x;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double width = bar.width * times[i] / all;
    const bool wide = width > 120;
    draw_rect(svg, {x, bar.y, width, bar.height}, text("box ", parts[i].colour));
    const std::string share = text(shares[i], " %");
    if (wide) {
      draw_text(svg, {x + width / 2, bar.centre() - 3}, parts[i].name,
                text("middle bold ", parts[i].colour));
      draw_text(svg, {x + width / 2, bar.centre() + 16}, share, "middle small");
    } else {
      // Below the bar, one under the other, so that they do not overlap.
      const double below = bar.bottom() + (i == 3 ? 26 : 50);
      draw_line(svg, {x + width / 2, bar.bottom() + 2}, {x + width / 2, below - 12},
                "line thin muted");
      draw_text(svg, {x + width / 2, below}, text(parts[i].name, ": ", share),
                text("end small ", parts[i].colour));
    }
    x += width;
  }
  return svg;
}

}  // namespace attn::walkthrough
