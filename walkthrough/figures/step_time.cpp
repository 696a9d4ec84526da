// Where the time of a training step goes: one bar, from the table of layers.
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

Svg step_time(const std::string& measurements) {
  struct Part {
    const char* name;
    const char* colour;
    std::vector<std::string> rows;
  };
  const std::vector<Part> parts{
      {"feed-forward", "blue", {"encoder_feed-forward", "decoder_feed-forward"}},
      {"attention",
       "orange",
       {"encoder_self-attention", "decoder_self-attention", "encoder-decoder_attention"}},
      {"output and loss", "green", {"output_projection_and_loss"}},
      {"Adam, zeroing", "purple", {"Adam", "zeroing_gradients"}},
      {"norms, dropout, embeddings",
       "muted",
       {"encoder_add_and_norm", "decoder_add_and_norm", "encoder_dropout", "decoder_dropout",
        "embeddings_and_positions"}},
  };
  const Table table = read_table(measurements, "intel/layers");
  std::vector<double> times;  // ms of each part
  double all = 0;
  std::size_t rows = 0;
  for (const Part& part : parts) {
    times.push_back(0);
    for (const std::string& row : part.rows) {
      times.back() += number_in(table.where("layer", row).rows[0], "ms_of_step");
    }
    all += times.back();
    rows += part.rows.size();
  }
  // No layer is left out: the table also has what is between them.
  ATTN_CHECK_EQ(rows + 1, table.where("part", "no").rows.size(), "layers of a step");
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
      const double below = bar.bottom() + (parts[i].rows.size() == 2 ? 26 : 50);
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
