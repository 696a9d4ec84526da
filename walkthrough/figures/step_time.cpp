// What a training step is made of: its time, from a table, and its tensors, to scale.
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
  const Table table = read_table(measurements, "amd-avx2/parts");
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
            text(short_number(all, 0), " ms, float32, two threads of the EPYC with AVX2"),
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

namespace {

// The base model, for sentences of 25 tokens: numbers per token of each tensor of a forward pass.
constexpr double kWidth = 512, kHidden = 2048, kWeightsOfHeads = 8 * 25, kVocabulary = 37000;
constexpr double kColumnsPerPixel = 72, kSheet = 42;

struct Sheet {
  double columns;
  const char* colour;
};

// Q, K, V, the weights P, Concat, the output and the normalised sum.
void add_attention(std::vector<Sheet>& sheets) {
  for (int i = 0; i < 3; ++i) sheets.push_back({kWidth, "blue"});
  sheets.push_back({kWeightsOfHeads, "orange"});
  for (int i = 0; i < 3; ++i) sheets.push_back({kWidth, "blue"});
}

// The hidden layer, the output and the normalised sum.
void add_feed_forward(std::vector<Sheet>& sheets) {
  sheets.push_back({kHidden, "green"});
  for (int i = 0; i < 2; ++i) sheets.push_back({kWidth, "blue"});
}

// Side by side, each as wide as its numbers per token.
void draw_sheets(Svg& svg, Point at, const std::vector<Sheet>& sheets) {
  for (const Sheet& sheet : sheets) {
    const double width = sheet.columns / kColumnsPerPixel;
    draw_rect(svg, {at.x, at.y, width, kSheet}, text("box thin ", sheet.colour));
    at.x += width;
  }
}

}  // namespace

Svg tensor_sizes() {
  Svg svg{880, 420, "All tensors of a forward pass of the base model, to scale",
          "Three rows of rectangles of one height. Six encoder layers fill five eighths of the "
          "width, six decoder layers nearly all of it, and the logits alone as much as the "
          "encoder. All weights of the model are a small square below.",
          ""};
  std::vector<Sheet> encoder{{kWidth, "blue"}}, decoder{{kWidth, "blue"}};
  for (int layer = 0; layer < 6; ++layer) {
    add_attention(encoder);
    add_feed_forward(encoder);
    add_attention(decoder);
    add_attention(decoder);
    add_feed_forward(decoder);
  }
  const double x = 30;
  draw_text(svg, {x, 34}, "e, and the encoder's six layers", "bold");
  draw_sheets(svg, {x, 44}, encoder);
  draw_text(svg, {x, 124}, "g, and the decoder's six layers", "bold");
  draw_sheets(svg, {x, 134}, decoder);
  draw_text(svg, {x, 214}, "the logits, [25000, 37000]", "bold");
  draw_sheets(svg, {x, 224}, {{kVocabulary, "purple"}});
  draw_text(svg, {x, 304}, "all weights of the model, 63 million", "bold");
  draw_sheets(svg, {x, 314}, {{63045632.0 / 25000, "muted"}});

  draw_rect(svg, {380, 318, 14, 14}, "box thin blue");
  draw_text(svg, {402, 330}, "[T, 512]: Q, K, V, Concat, outputs and sums", "small");
  draw_rect(svg, {380, 340, 14, 14}, "box thin green");
  draw_text(svg, {402, 352}, "[T, 2048]: the feed-forward network's hidden layer", "small");
  draw_rect(svg, {380, 362, 14, 14}, "box thin orange");
  draw_text(svg, {402, 374}, "[T, 8·25]: the weights P of eight heads, for sentences of 25 tokens",
            "small");
  draw_text(
      svg, {x, 408},
      "Each rectangle is T = 25000 tokens high and as wide as its numbers per token; the weights "
      "have the same scale.",
      "small muted");
  return svg;
}

}  // namespace attn::walkthrough
