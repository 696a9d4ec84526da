// What heads of the phrasebook's model do, and what becomes of it without them.
#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

using Row = std::map<std::string, std::string>;

// One map of phrasebook_maps.tsv, its words and weights, below and to the right of the corner.
void draw_words_map(Svg& svg, Point corner, double cell, const Table& table) {
  const Row& last = table.rows.back();
  HeatMap map{
      static_cast<int>(number_in(last, "row")), static_cast<int>(number_in(last, "column")), {}};
  for (const Row& row : table.rows) map.weights.push_back(number_in(row, "weight"));
  const Rect area{corner.x, corner.y, map.cols * cell, map.rows * cell};
  draw_heat_map(svg, area, map, "blue");
  draw_grid(svg, area, map.rows, map.cols, "grid thin");
  draw_rect(svg, area, "line muted thin");
  for (const Row& row : table.rows) {
    const double i = number_in(row, "row"), j = number_in(row, "column");
    if (j == 1)
      draw_text(svg, {area.x - 8, area.y + (i - 0.5) * cell + 5}, row.at("looks"), "small end");
    if (i != 1) continue;
    draw_turned_text(svg, {area.x + (j - 0.5) * cell + 3, area.y - 7}, 50, row.at("at"), "small");
  }
}

// For livre: the mean cosine of its vectors in different sentences, from layer to layer.
void draw_cosines(Svg& svg, const Rect& area, const Table& meanings) {
  const Axes axes = make_axes(area, 0, 3, 0.5, 1);
  draw_axes(svg, axes,
            {{{0, "E[livre]"}, {1, "e"}, {2, "layer 1"}, {3, "z"}},
             ticks({0.5, 0.6, 0.7, 0.8, 0.9, 1}),
             "",
             "cosine of two vectors of livre"});
  std::vector<Point> within, between;
  for (const Row& row : meanings.where("noun", "livre").rows) {
    const double x = static_cast<double>(within.size());
    within.push_back({x, number_in(row, "within")});
    between.push_back({x, number_in(row, "between")});
  }
  draw_curve(svg, axes, between, "orange");
  draw_curve(svg, axes, within, "blue");
  for (const Point& point : between) draw_circle(svg, axes(point.x, point.y), 4, "orange area");
  for (const Point& point : within) draw_circle(svg, axes(point.x, point.y), 4, "blue area");
  draw_text(svg, {axes.x(3), axes(3, 0.92).y}, "same meaning", "blue bold small end halo");
  draw_text(svg, {axes.x(2.25), axes(3, between.back().y).y}, "different meanings",
            "orange bold small end halo");
}

}  // namespace

Svg phrasebook_heads(const std::string& measurements) {
  Svg svg{
      880, 900, "Two heads of the phrasebook's model",
      "Above, head 3 of the encoder's first layer in two sentences: the word livre looks at le "
      "in one and at la in the other. Next to it, how alike vectors of livre are: equal at "
      "first, and less alike from layer to layer if their meanings differ. Below, head 2 of the "
      "decoder's second layer of attention over the source in two questions: does looks at "
      "montre, do at montrent.",
      ""};
  const Table maps = read_table(measurements, "phrasebook_maps");
  draw_text(svg, {30, 36}, "Which livre? Encoder, layer 1, head 3", "large bold");
  draw_words_map(svg, {90, 130}, 34, maps.where("map", "1"));
  draw_words_map(svg, {352, 130}, 34, maps.where("map", "2"));
  draw_text(svg, {90 + 85, 326}, "… loses the book", "small muted middle");
  draw_text(svg, {352 + 85, 326}, "… loses the pound", "small muted middle");
  draw_cosines(svg, {632, 110, 216, 190}, read_table(measurements, "phrasebook_meanings"));

  draw_text(svg, {30, 392}, "Do or does? Encoder–decoder attention, layer 2, head 2", "large bold");
  draw_words_map(svg, {100, 510}, 29, maps.where("map", "3"));
  draw_words_map(svg, {524, 510}, 29, maps.where("map", "4"));
  draw_text(svg, {30, 874},
            "Row: the word that looks or, below, is being written. Column: the word "
            "it looks at. The stronger the colour, the more weight.",
            "small muted");
  return svg;
}

Svg phrasebook_silenced(const std::string& measurements) {
  Svg svg{
      880, 430, "Translations that come out right without one head",
      "Bars for 24 heads: the share of the test sentences that the phrasebook's model "
      "translates exactly right when that head is silent. Twenty stay above 91 percent; without "
      "head 2 of the second layer of encoder-decoder attention it is 71.",
      ""};
  const Table table = read_table(measurements, "phrasebook_silenced");
  const Axes axes = make_axes({70, 60, 780, 250}, 0, 27, 0, 100);
  draw_axes(svg, axes,
            {{},
             {{0, "0"}, {25, "25"}, {50, "50"}, {75, "75"}, {100, "100 %"}},
             "",
             "test sentences exactly right without the head"});
  const double all = 100 * number_in(table.where("silent", "none").rows[0], "test");
  draw_line(svg, axes(0, all), axes(27, all), "muted thin fine");
  double x = 0.5;
  for (const std::string part : {"encoder", "decoder", "cross"}) {
    for (const std::string layer : {"1", "2"}) {
      const Table heads = table.where("attention", part).where("layer", layer);
      const double first = x;
      for (const Row& row : heads.rows) {
        if (row.at("silent") == "all") continue;
        const double right = 100 * number_in(row, "test");
        const char* const colour = right < 90 ? "orange" : "blue";
        draw_bar(svg, axes, x + 0.08, x + 0.92, 0, right, colour);
        draw_text(svg, {axes.x(x + 0.5), axes.y(0) + 18}, row.at("silent"), "small muted middle");
        if (right < 90) {
          draw_turned_text(svg, {axes.x(x + 0.5) + 5, axes.y(right) + 6}, 90,
                           short_number(right, 1), "small bold paper end");
        }
        ++x;
      }
      draw_text(svg, {axes.x((first + x) / 2), axes.y(0) + 40}, "layer " + layer, "small middle");
      x += layer == "1" ? 0.25 : 0.5;
    }
    const double middle = x - 0.5 - 4.125;
    draw_text(svg, {axes.x(middle), axes.y(0) + 64},
              part == "encoder"   ? "encoder self-attention"
              : part == "decoder" ? "decoder self-attention"
                                  : "encoder–decoder attention",
              "bold middle");
  }
  draw_text(svg, {70, 410},
            text("Dotted: with all heads, ", short_number(all, 1),
                 " %. Orange: below 90 %. A head is silent when its rows of W^{O} are 0."),
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
