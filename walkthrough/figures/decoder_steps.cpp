// The decoder's positions: shift and mask in training, and the cache in decoding.
#include "figures.h"

namespace attn::walkthrough {

Svg shift_and_mask() {
  Svg svg{880, 452, "The target shifted right, and the causal mask",
          "Two rows of words. Above, what the decoder is to predict: Jane visits Africa in "
          "September, end. Below, what it reads: the same words one place to the right, after the "
          "beginning. Below that a grid whose row t is filled up to column t: what position t may "
          "look at.",
          ""};
  const std::vector<std::string> words{"<bos>", "Jane",      "visits", "Africa",
                                       "in",    "September", "<eos>"};
  constexpr int kPositions = 6;
  constexpr double kLeft = 160, kColumn = 116, kBox = 98, kCell = 30;
  const auto column = [&](int t) { return kLeft + t * kColumn; };
  draw_text(svg, {20, 71}, "to be predicted");
  draw_text(svg, {20, 141}, "read");
  for (int t = 0; t < kPositions; ++t) {
    const std::size_t i = t;
    draw_text(svg, {column(t) + kBox / 2, 34}, text("position ", t), "small muted middle");
    draw_word(svg, {column(t), 50, kBox, 32}, words[i + 1], "green");
    draw_word(svg, {column(t), 120, kBox, 32}, words[i], "orange");
    if (t + 1 < kPositions) {
      draw_arrow(svg, {{column(t) + kBox / 2 + 14, 84}, {column(t + 1) + kBox / 2 - 14, 118}},
                 "muted");
    }
  }
  draw_text(svg, {20, 174}, "may look at");
  const Rect area{kLeft - (kColumn - kBox) / 2, 180, kPositions * kColumn, kPositions * kCell};
  HeatMap map{kPositions, kPositions, {}};
  for (int row = 0; row < kPositions; ++row) {
    for (int col = 0; col < kPositions; ++col) map.weights.push_back(col <= row ? 0.4 : 0);
  }
  draw_heat_map(svg, area, map, "orange");
  draw_grid(svg, area, kPositions, kPositions, "muted thin");
  for (int t = 0; t < kPositions; ++t) {
    draw_text(svg, {area.x - 8, area.y + t * kCell + 20}, text("position ", t), "small muted end");
    for (int j = 0; j < kPositions; ++j) {
      const bool next = j == t + 1;
      if (j <= t || next) {
        draw_text(svg, {area.x + (j + 0.5) * kColumn, area.y + t * kCell + 20}, words[j],
                  next ? "small middle muted italic" : "small middle");
      }
    }
  }
  draw_text(svg, {20, 394},
            "Filled: legal. In italics: the word that position t is to predict, which is one "
            "place to the right among the words read.",
            "small muted");
  draw_text(svg, {20, 414}, "Without the mask, position t could look it up there.", "small muted");
  return svg;
}

Svg key_value_cache() {
  Svg svg{880, 436, "Decoding with a cache, step by step",
          "Five steps of writing the black cat sleeps. Without a cache, every step computes all "
          "positions so far: 1, 2, 3, 4, 5. With the cache, every step computes the newest "
          "position alone and reads the keys and values of the earlier ones.",
          ""};
  const std::vector<std::string> words{"<bos>", "the", "black", "cat", "sleeps", "<eos>"};
  constexpr int kSteps = 5;
  constexpr double kBox = 62, kGap = 4, kTop = 92, kRow = 48;
  draw_text(svg, {170, 36}, "Without a cache", "bold");
  draw_text(svg, {530, 36}, "With a cache", "bold");
  draw_text(svg, {20, 76}, "writes", "small muted");
  draw_text(svg, {170, 76}, "reads", "small muted");
  draw_text(svg, {530, 76}, "reads", "small muted");
  for (int t = 0; t < kSteps; ++t) {
    const double y = kTop + kRow * t;
    draw_text(svg, {20, y + 21}, text(t + 1, ". ", words[static_cast<std::size_t>(t) + 1]));
    for (int j = 0; j <= t; ++j) {
      const std::string& word = words[j];
      const double x = j * (kBox + kGap);
      draw_word(svg, {170 + x, y, kBox, 32}, word, "orange");
      draw_word(svg, {530 + x, y, kBox, 32}, word, j < t ? "blue" : "orange");
    }
  }
  const double bottom = kTop + kRow * kSteps + 12;
  draw_text(svg, {170, bottom + 6}, "15 positions computed", "bold orange");
  draw_text(svg, {530, bottom + 6}, "5 positions computed", "bold orange");
  draw_rect(svg, {20, bottom + 30, 26, 18}, "box orange", 4);
  draw_text(svg, {56, bottom + 44},
            "computed in this step, through all layers: query, key, value and output", "small");
  draw_rect(svg, {20, bottom + 58, 26, 18}, "box blue", 4);
  draw_text(svg, {56, bottom + 72},
            "key and value of each layer, kept from an earlier step: the cache", "small");
  return svg;
}

}  // namespace attn::walkthrough
