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
  const Table table = read_table(measurements, "layers");
  std::vector<double> shares;
  std::string words;
  double all = 0;
  for (const Part& part : parts) {
    double share = 0;
    for (const std::string& row : part.rows) {
      share += number_in(table.where("layer", row).rows[0], "of_step");
    }
    shares.push_back(share);
    all += share;
    words += text(words.empty() ? "" : ", ", part.name, " ", short_number(share, 1), " percent");
  }
  // Each row is a median of its own.
  ATTN_CHECK(all > 97 && all < 103, "the parts of a step are ", short_number(all),
             " percent of it");

  Svg svg{880, 190, "Where a step's time goes", text("One bar, in parts: ", words, "."), ""};
  const Rect bar{30, 70, 820, 46};
  draw_text(svg, {bar.x, 34}, "A training step of the base model", "bold");
  const double ms = number_in(table.where("layer", "all").rows[0], "ms_of_step");
  draw_text(svg, {bar.x, 54},
            text("sum of its layers, forward and backward: ", short_number(ms, 0),
                 " ms, float32, two threads"),
            "small muted");
  double x = bar.x;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double width = bar.width * shares[i] / all;
    const bool wide = width > 120;
    draw_rect(svg, {x, bar.y, width, bar.height}, text("box ", parts[i].colour));
    const std::string share = text(short_number(shares[i], 1), " %");
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
