// The pictures of walkthrough/grow. On the left of each is the program so far as blocks, what reads
// beside what writes, with the step's new ones in orange; on the right, what the step does.
#include <cmath>

#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

using Numbers = std::vector<double>;
using Words = std::vector<std::string>;

constexpr double kRight = 330;  // where a step's own picture begins

// ---- The program so far ----

constexpr double kWide = 108, kHigh = 24, kEvery = 34;

// One column of blocks: x is its left edge, y where the next block's lower edge will be.
struct Column {
  Svg& svg;
  double x, y;
  int step;
  double middle() const { return x + kWide / 2; }
};

const char* look(const Column& column, int since) {
  return column.step == since ? "orange" : "muted";
}

// A block that the program has since that step. Returns where it is.
Rect add_block(Column& column, int since, const std::string& name, bool several = false) {
  const Rect rect{column.x, column.y - kHigh, kWide, kHigh};
  if (column.step < since) return rect;
  draw_line(column.svg, {column.middle(), column.y},
            {column.middle(), rect.bottom() + kEvery - kHigh}, "muted thin");
  if (several) {
    const char* const colour = column.step == 10 ? "orange" : look(column, since);
    for (const double back : {6.0, 3.0}) {
      draw_rect(column.svg, {rect.x + back, rect.y - back, kWide, kHigh}, "paper area", 5);
      draw_rect(column.svg, {rect.x + back, rect.y - back, kWide, kHigh},
                text("line thin ", colour), 5);
    }
  }
  draw_rect(column.svg, rect, "paper area", 5);
  draw_word(column.svg, rect, name, look(column, since));
  column.y -= kEvery;
  return rect;
}

// A sub-layer with its wire, which leads past it on the outside, and its norm.
Rect add_sublayer(Column& column, int since, const std::string& name, int wired, bool outside_left,
                  bool attends) {
  const double below = column.y + (kEvery - kHigh) / 2;
  const Rect rect = add_block(column, since, name, attends && column.step >= 10);
  if (column.step < since) return rect;
  if (column.step >= wired) {
    const double side = outside_left ? column.x - 12 : column.x + kWide + 12;
    const double above = rect.y - (kEvery - kHigh) / 2;
    draw_polyline(
        column.svg,
        {{column.middle(), below}, {side, below}, {side, above}, {column.middle(), above}},
        text(look(column, std::max(wired, since)), column.step == wired ? " thick" : ""));
  }
  if (column.step >= 9) add_block(column, 9, "norm");
  return rect;
}

// The program of a step, from the bottom up.
void draw_program(Svg& svg, double left, double bottom, int step) {
  Column read{svg, left + 20, bottom, step}, write{svg, left + 174, bottom, step};
  if (step >= 3) draw_text(svg, {read.middle(), bottom + 26}, "source", "small muted middle");
  if (step >= 2) {
    draw_text(svg, {write.middle(), bottom + 26}, step < 11 ? "last letter" : "written so far",
              "small muted middle");
  }
  if (step >= 3) {
    add_block(read, 3, "embedding");
    if (step >= 5) add_block(read, 5, "+ clocks");
  }
  if (step >= 2) add_block(write, 2, "embedding");
  if (step >= 5) add_block(write, 5, "+ clocks");
  const double read_begins = read.y + 6, write_begins = write.y + 6;
  if (step >= 6) add_sublayer(read, 6, "self-attention", 7, true, true);
  if (step >= 8) add_sublayer(read, 8, "feed-forward", 8, true, false);
  if (step >= 11) add_sublayer(write, 11, "masked self-att.", 11, false, true);
  if (step >= 3) {
    const Rect cross =
        add_sublayer(write, step < 4 ? 3 : 4, step < 4 ? "mean" : "attention", 3, false, step >= 4);
    const double top = read.y + kEvery - kHigh - 6, channel = read.x + kWide + 26;
    draw_line(svg, {read.middle(), read.y + kEvery - kHigh}, {read.middle(), top}, "muted thin");
    draw_arrow(svg,
               {{read.middle(), top},
                {channel, top},
                {channel, cross.centre()},
                {cross.x, cross.centre()}},
               "muted thin");
    if (step >= 8) add_sublayer(write, 8, "feed-forward", 8, false, false);
  }
  if (step >= 12) {
    const double tops[] = {read.y, write.y};
    const double bottoms[] = {read_begins, write_begins}, lefts[] = {read.x - 18, write.x - 8};
    for (int i = 0; i < 2; ++i) {
      draw_rect(svg, {lefts[i], tops[i] + 6, kWide + 26, bottoms[i] - tops[i] - 8},
                step == 12 ? "line orange dashed" : "line muted thin dashed", 8);
      draw_text(svg, {lefts[i] + (i == 0 ? 30.0 : -6.0), tops[i] + (i == 0 ? 1.0 : 22.0)}, "2 ×",
                text("small bold end ", step == 12 ? "orange" : "muted"));
    }
    add_block(write, 12, "times E^{T}");
  } else {
    if (step >= 2) add_block(write, 2, "linear");
    add_block(write, 1, "bias");
  }
  draw_arrow(svg, {{write.middle(), write.y + kEvery - kHigh}, {write.middle(), write.y - 8}},
             "muted thin");
  draw_text(svg, {write.middle(), write.y - 14}, "scores", "small muted middle");
}

// A picture with the step's program on the left.
Svg picture(int step, double height, const std::string& title, const std::string& description) {
  Svg svg{880, height, title, description, ""};
  draw_text(svg, {20, 32}, text("Step ", step), "bold orange");
  draw_program(svg, 0, height - 50, step);
  draw_line(svg, {kRight - 24, 20}, {kRight - 24, height - 20}, "grid thin");
  return svg;
}

// ---- Numbers and letters ----

// A row of cells, with its numbers if digits ≥ 0; the larger a number, the stronger its colour.
void draw_cells(Svg& svg, Point corner, const Numbers& numbers, const char* colour,
                double width = 32, int digits = 0, double full = 4) {
  const Rect area{corner.x, corner.y, width * static_cast<double>(numbers.size()), 26};
  HeatMap map{1, static_cast<int>(numbers.size()), {}};
  for (const double number : numbers) map.weights.push_back(0.45 * std::fabs(number) / full);
  draw_heat_map(svg, area, map, colour);
  draw_grid(svg, area, 1, map.cols, "muted thin");
  double x = area.x + width / 2;
  for (const double number : numbers) {
    if (digits >= 0) {
      draw_text(svg, {x, corner.y + 18}, with_minus(short_number(number, digits)), "small middle");
    }
    x += width;
  }
}

void draw_letter(Svg& svg, Point centre, const std::string& letter, const char* colour) {
  draw_word(svg, {centre.x - 14, centre.y - 14, 28, 28}, letter, colour);
}

Numbers softmax_of(Numbers scores) {
  double sum = 0;
  for (double& s : scores) sum += s = std::exp(s);
  for (double& s : scores) s /= sum;
  return scores;
}

void draw_clock(Svg& svg, Point centre, double angle, const char* colour) {
  constexpr double kRadius = 15;
  draw_circle(svg, centre, kRadius, "line muted thin");
  draw_line(
      svg, centre,
      {centre.x + (kRadius - 2) * std::sin(angle), centre.y - (kRadius - 2) * std::cos(angle)},
      text("thick ", colour));
}

const Words kStop{"s", "t", "o", "p", "$"};

}  // namespace

Svg grow_mean() {
  Svg svg{880, 300, "The first three programs, and a mean in three ways",
          "Left, three programs as blocks: a bias; an embedding of the last letter, linear, bias; "
          "and the "
          "mean of the source's embeddings added in. Right, the mean of 2 and 6 is 4 as a product "
          "with the "
          "weights one half and one half, and the weights are softmax of two equal scores. With "
          "scores 0 "
          "and 1 the weights are 0.27 and 0.73, and the mean is 4.92.",
          ""};
  const double lefts[] = {-164, -46, 238};
  for (int step = 1; step <= 3; ++step) {
    const double left = lefts[step - 1];
    draw_text(svg, {left + 174 + kWide / 2, 32}, text("Step ", step), "bold orange middle");
    draw_program(svg, left, 250, step);
  }
  draw_line(svg, {544, 20}, {544, 280}, "grid thin");
  draw_text(svg, {562, 32}, "A mean is a product", "bold");
  draw_text(svg, {576, 62}, "scores", "small purple");
  draw_text(svg, {676, 62}, "weights P", "small orange");
  draw_text(svg, {790, 62}, "V", "small green middle");
  draw_text(svg, {846, 62}, "P V", "small middle");
  double y = 92;
  for (const Numbers& scores : {Numbers{0, 0}, Numbers{0, 1}}) {
    const Numbers p = softmax_of(scores);
    draw_cells(svg, {562, y}, scores, "purple");
    draw_arrow(svg, {{630, y + 13}, {668, y + 13}}, "muted thin");
    draw_text(svg, {649, y - 5}, "softmax", "mono muted middle");
    draw_cells(svg, {672, y}, p, "orange", 44, 2, 1);
    draw_cells(svg, {774, y - 13}, {2}, "green", 32, 0, 8);
    draw_cells(svg, {774, y + 13}, {6}, "green", 32, 0, 8);
    draw_text(svg, {813, y + 19}, "=", "middle");
    draw_cells(svg, {822, y}, {p[0] * 2 + p[1] * 6}, "green", 52, 2, 8);
    y += 94;
  }
  draw_text(svg, {562, 152}, "Equal scores: the plain mean.", "small muted");
  draw_text(svg, {562, 246}, "A larger score pulls the mean towards its value.", "small muted");
  draw_text(svg, {562, 266}, "Step 4 computes the scores.", "small muted");
  return svg;
}

Svg grow_attention() {
  Svg svg = picture(
      4, 400, "A letter as query, key and value",
      "One letter's vector, multiplied by three matrices, becomes a query, a key and a value. "
      "Below, the query (2, 2, 0, 0) meets the keys of three letters: the dot products are 4, 0 "
      "and 2, the weights 0.67, 0.09 and 0.24.");
  const double x = kRight;
  draw_text(svg, {x, 32}, "One vector, three roles", "bold");
  draw_letter(svg, {x + 16, 96}, "t", "muted");
  draw_cells(svg, {x + 44, 83}, {1, 3, 2, 0}, "muted", 20, -1);
  struct Role {
    const char *matrix, *name, *says, *colour;
    Numbers numbers;
  };
  const Role roles[] = {{"W^{Q}", "query", "What am I looking for?", "orange", {2, 2, 0, 0}},
                        {"W^{K}", "key", "What am I?", "blue", {1, 1, 0, 3}},
                        {"W^{V}", "value", "What do I pass on?", "green", {0, 1, 3, 2}}};
  double y = 58;
  for (const Role& role : roles) {
    draw_arrow(svg, {{x + 128, 96}, {x + 152, y + 13}}, "muted thin");
    draw_word(svg, {x + 156, y, 48, 26}, role.matrix, role.colour);
    draw_arrow(svg, {{x + 206, y + 13}, {x + 228, y + 13}}, "muted thin");
    draw_cells(svg, {x + 234, y}, role.numbers, role.colour, 26);
    draw_text(svg, {x + 350, y + 18}, role.name, text("small bold ", role.colour));
    draw_text(svg, {x + 396, y + 18}, role.says, "small muted");
    y += 36;
  }
  draw_text(svg, {x, 196}, "One query meets three keys", "bold");
  draw_text(svg, {x, 224}, "query", "small bold orange");
  draw_cells(svg, {x + 52, 206}, {2, 2, 0, 0}, "orange", 26);
  draw_text(svg, {x + 52, 256}, "keys", "small bold blue");
  draw_text(svg, {x + 186, 256}, "q · k", "small muted middle");
  draw_text(svg, {x + 244, 256}, "÷ √4", "small muted middle");
  draw_text(svg, {x + 290, 256}, "softmax: weights", "small purple");
  draw_text(svg, {x + 440, 256}, "of each value", "small bold green");
  const Numbers query{2, 2, 0, 0};
  const Numbers keys[] = {{1, 1, 0, 3}, {0, 0, 2, 1}, {1, 0, 1, 0}};
  Numbers scores;
  for (const Numbers& key : keys) {
    double product = 0;
    for (std::size_t i = 0; i < key.size(); ++i) product += query[i] * key[i];
    scores.push_back(product / 2);
  }
  const Numbers weights = softmax_of(scores);
  const Words letters{"t", "e", "a"};
  y = 268;
  for (std::size_t j = 0; j < weights.size(); ++j, y += 38) {
    draw_letter(svg, {x + 16, y + 13}, letters[j], "muted");
    draw_cells(svg, {x + 52, y}, keys[j], "blue", 26);
    draw_text(svg, {x + 186, y + 18}, short_number(2 * scores[j]), "small middle");
    draw_text(svg, {x + 244, y + 18}, short_number(scores[j]), "small middle");
    draw_rect(svg, {x + 290, y + 3, 100 * weights[j], 20}, "area purple");
    draw_text(svg, {x + 296 + 100 * weights[j], y + 18}, fixed_number(weights[j], 2),
              "small purple");
    draw_cells(svg, {x + 440, y}, Numbers(4, 4 * weights[j]), "green", 22, -1, 2);
  }
  return svg;
}

Svg grow_positions() {
  Svg svg = picture(
      5, 330, "A bag of letters, and letters with clocks",
      "Above, a bag with the letters s, t, o and p: stop, post and spot are the same bag. Below, "
      "the letters of stop in a row; under each are three clocks, whose hands show its place, a "
      "fast one, a slower one and a slow one.");
  const double x = kRight;
  draw_text(svg, {x, 32}, "Without places", "bold");
  draw_rect(svg, {x, 48, 150, 76}, "box muted", 34);
  const Point at[] = {{x + 34, 98}, {x + 62, 72}, {x + 92, 100}, {x + 118, 74}};
  for (std::size_t i = 0; i < 4; ++i) draw_text(svg, at[i], kStop[i], "large middle");
  draw_text(svg, {x + 176, 82}, "stop? post? spot? pots?", "");
  draw_text(svg, {x + 176, 104}, "The same letters have the same mean.", "small muted");
  draw_text(svg, {x, 160}, "With clocks", "bold");
  const char* const names[] = {"fast hand", "slower", "slow"};
  for (int place = 0; place < 5; ++place) {
    const double middle = x + 110 + 84.0 * place;
    draw_letter(svg, {middle, 190}, kStop[place], "orange");
    for (int hand = 0; hand < 3; ++hand) {
      const double frequency = std::pow(10000.0, -2.0 * 2 * hand / 32);
      draw_clock(svg, {middle, 228 + 36.0 * hand}, place * frequency, "orange");
    }
  }
  for (int hand = 0; hand < 3; ++hand) {
    draw_text(svg, {x, 233 + 36.0 * hand}, names[hand], "small muted");
  }
  return svg;
}

namespace {

// What a vector holds, in shares of the letters that were read.
void draw_mixture(Svg& svg, double middle, double top, const Numbers& shares) {
  constexpr double kWidth = 46, kHeight = 96;
  double y = top;
  for (std::size_t i = 0; i < shares.size(); ++i) {
    const Rect part{middle - kWidth / 2, y, kWidth, kHeight * shares[i]};
    const bool most = shares[i] > 0.4;
    if (shares[i] > 0) draw_rect(svg, part, text("box ", most ? "blue" : "muted"));
    if (shares[i] > 0.15) {
      draw_text(svg, {middle, part.centre() + 5}, kStop[i],
                most ? "bold middle blue" : "small middle muted");
    }
    y += part.height;
  }
}

}  // namespace

Svg grow_labels() {
  Svg svg = picture(
      6, 360, "Our column labels are out of date",
      "The letters s, t, o, p and the end are read. Self-attention replaces each vector by a "
      "weighted mean of all. Under s there is now mostly p, under t mostly o, under o mostly t, "
      "under p mostly s. To write p, the decoder looks at the column that we still call s.");
  const double x = kRight;
  draw_text(svg, {x, 32}, "What each vector holds (a sketch)", "bold");
  draw_text(svg, {x, 78}, "label", "small muted");
  draw_text(svg, {x, 178}, "contents", "small muted");
  draw_text(svg, {x, 196}, "after self-", "small muted");
  draw_text(svg, {x, 214}, "attention", "small muted");
  const Numbers mixtures[] = {{0.1, 0.1, 0.1, 0.5, 0.2},
                              {0.1, 0.1, 0.5, 0.1, 0.2},
                              {0.1, 0.5, 0.1, 0.1, 0.2},
                              {0.5, 0.1, 0.1, 0.1, 0.2},
                              {0.2, 0.1, 0.1, 0.1, 0.5}};
  for (int i = 0; i < 5; ++i) {
    const double middle = x + 110 + 84.0 * i;
    for (int j = 0; j < 5; ++j) {
      const double share = mixtures[i][j];
      draw_line(svg, {x + 110 + 84.0 * j, 89}, {middle, 140}, share > 0.4 ? "blue" : "grid thin");
    }
  }
  for (int i = 0; i < 5; ++i) {
    const double middle = x + 110 + 84.0 * i;
    draw_letter(svg, {middle, 74}, kStop[i], "muted");
    draw_mixture(svg, middle, 140, mixtures[i]);
  }
  draw_word(svg, {x + 20, 284, 180, 28}, "the decoder wants a p …", "orange");
  draw_arrow(svg, {{x + 110, 284}, {x + 110, 240}}, "orange");
  draw_text(svg, {x + 214, 303}, "… finds it in the first column, and our map says s.",
            "small muted");
  return svg;
}

Svg grow_wire() {
  Svg svg = picture(
      7, 350, "The wire around a sub-layer",
      "Above, step 6: self-attention replaces the vector of the letter p, and what it was is lost. "
      "Below, step 7: a wire carries the vector past self-attention and adds it to what "
      "self-attention says, so that the sum holds both the letter and the distance to the end.");
  const double x = kRight;
  draw_text(svg, {x, 32}, "The vector of p says", "bold");
  draw_text(svg, {x + 178, 32}, "which letter it is", "small bold blue");
  draw_text(svg, {x + 306, 32}, "and where the end is.", "small bold green");
  double y = 74;
  for (const bool wired : {false, true}) {
    draw_text(svg, {x, y}, wired ? "Step 7 adds" : "Step 6 replaces", "bold");
    const double top = y + (wired ? 34 : 14), centre = top + 13;
    const auto vector_at = [&](double left, double self, double heard) {
      draw_cells(svg, {left, top}, {self}, "blue", 48, 0);
      draw_cells(svg, {left + 48, top}, {heard}, "green", 48, 0);
    };
    vector_at(x, 4, 0);
    draw_arrow(svg, {{x + 98, centre}, {x + 126, centre}}, "muted");
    draw_word(svg, {x + 130, top - 4, 110, 34}, "self-attention", "muted");
    draw_arrow(svg, {{x + 242, centre}, {x + 266, centre}}, "muted");
    vector_at(x + 270, 0, 3);
    if (wired) {
      draw_polyline(
          svg,
          {{x + 110, centre}, {x + 110, top - 20}, {x + 400, top - 20}, {x + 400, centre - 12}},
          "orange thick");
      draw_text(svg, {x + 255, top - 26}, "the wire", "small bold orange middle");
      draw_arrow(svg, {{x + 368, centre}, {x + 388, centre}}, "muted");
      draw_operation(svg, {x + 400, centre}, "+");
      draw_arrow(svg, {{x + 412, centre}, {x + 434, centre}}, "muted");
      vector_at(x + 438, 4, 3);
    }
    draw_text(svg, {x, top + 50},
              wired
                  ? "The letter is still there, and self-attention only has to say what is new."
                  : "The vector knows where the end is, and no longer which letter it belongs to.",
              "small muted");
    y += 116;
  }
  draw_text(svg, {x, 330},
            "Backward, the gradient of a sum goes both ways: the wire hands it on unchanged.",
            "small muted");
  return svg;
}

Svg grow_feed_forward() {
  Svg svg = picture(
      8, 380, "Questions that are answered with a number",
      "A vector is multiplied by a matrix into eight numbers, drawn as bars. Those below 0 become "
      "0, those above 0 pass. A second matrix turns what is left into a vector, which is added.");
  const double x = kRight;
  draw_text(svg, {x, 32}, "max(0, x W_{1} + b_{1}) W_{2} + b_{2}", "bold");
  const Numbers answers{0.9, -0.6, 0.3, -1, -0.3, 0.7, -0.8, 0.15};
  const char* const heads[] = {"answers", "after max(0, ·)"};
  for (int i = 0; i < 2; ++i) {
    const double left = x + 110 + 210.0 * i, base = 150;
    draw_text(svg, {left + 80, 72}, heads[i], "small muted middle");
    draw_line(svg, {left - 4, base}, {left + 164, base}, "muted thin");
    double bar = left;
    for (const double answer : answers) {
      const double value = i == 0 ? answer : std::max(0.0, answer), size = 58 * std::fabs(value);
      if (value != 0) {
        draw_rect(svg, {bar, value > 0 ? base - size : base, 16, size},
                  value > 0 ? "area orange" : "area muted");
      }
      bar += 20.5;
    }
  }
  draw_text(svg, {x + 36, 72}, "x", "italic middle");
  for (int i = 0; i < 4; ++i)
    draw_cells(svg, {x + 20, 98 + 26.0 * i}, {i == 1 ? 4.0 : 2.0}, "blue", 32, -1);
  draw_arrow(svg, {{x + 58, 150}, {x + 102, 150}}, "muted");
  draw_text(svg, {x + 79, 142}, "W_{1}", "small middle");
  draw_arrow(svg, {{x + 278, 150}, {x + 312, 150}}, "muted");
  draw_arrow(svg, {{x + 488, 150}, {x + 520, 150}}, "muted");
  draw_text(svg, {x + 502, 142}, "W_{2}", "small middle");
  draw_text(svg, {x + 20, 250}, "Each answer is to a question of its own, such as", "small muted");
  draw_text(svg, {x + 20, 270}, "“am I near the end?”. Below 0 it means no, and says nothing.",
            "small muted");
  draw_text(svg, {x + 20, 300},
            "W_{2} has a row for each question: what to add to x if the answer is yes.",
            "small muted");
  return svg;
}

Svg grow_norm() {
  Svg svg = picture(9, 430, "What layer normalisation forgets",
                    "Two rows of four numbers, (1, 0, 0, 0) and (10, 0, 0, 0), as bars. After "
                    "subtracting the mean "
                    "and dividing by the standard deviation both are (1.73, −0.58, −0.58, −0.58).");
  const double x = kRight;
  draw_text(svg, {x, 32}, "Two rows, one quiet and one loud, become the same row", "bold");
  double top = 70;
  for (const double size : {1.0, 10.0}) {
    const double mean = size / 4, sigma = size * std::sqrt(3.0) / 4, base = top + 120;
    Numbers before{size, 0, 0, 0}, after;
    for (const double number : before) after.push_back((number - mean) / sigma);
    for (const bool normed : {false, true}) {
      const double left = x + (normed ? 330 : 40);
      draw_line(svg, {left - 6, base}, {left + 166, base}, "muted thin");
      double bar = left;
      for (const double number : normed ? after : before) {
        const double height = (normed ? 40 : 11) * std::fabs(number);
        draw_rect(svg, {bar, number > 0 ? base - height : base, 28, height},
                  number > 0 ? "area orange" : "area blue");
        draw_text(svg, {bar + 14, number > 0 ? base - height - 6 : base + height + 16},
                  with_minus(short_number(number, 2)), "small middle");
        bar += 44;
      }
    }
    draw_arrow(svg, {{x + 226, base - 20}, {x + 306, base - 20}}, "muted");
    draw_text(svg, {x + 266, base - 50}, text("− ", short_number(mean, 2)), "small middle");
    draw_text(svg, {x + 266, base - 30}, text("÷ ", short_number(sigma, 3)), "small middle");
    top += 176;
  }
  return svg;
}

Svg grow_heads() {
  Svg svg = picture(10, 460, "Four heads",
                    "The columns of Q, K and V, 32 each, are cut into four blocks of 8. Each block "
                    "has weights of "
                    "its own: in this sketch one head looks at the letter itself, one at its "
                    "neighbour, one at the "
                    "end and one everywhere. The four results side by side are 32 columns again, "
                    "and W^O mixes them.");
  const double x = kRight;
  draw_text(svg, {x, 32}, "Four questions at once (a sketch)", "bold");
  draw_text(svg, {x, 66}, "Q, K, V: 32 columns, cut into 4 × 8", "small muted");
  const char* const colours[] = {"blue", "orange", "green", "purple"};
  const char* const asks[] = {"who am I?", "who is next?", "where is the end?", "what is there?"};
  constexpr double kBlock = 118, kCell = 18;
  for (int head = 0; head < 4; ++head) {
    const double left = x + (kBlock + 10) * head, middle = left + kBlock / 2;
    const char* const colour = colours[head];
    draw_rect(svg, {left, 76, kBlock, 26}, text("box ", colour));
    for (int i = 1; i < 8; ++i) {
      draw_line(svg, {left + kBlock * i / 8, 76}, {left + kBlock * i / 8, 102},
                text("thin ", colour));
    }
    draw_text(svg, {middle, 128}, text("head ", head + 1), text("small bold middle ", colour));
    draw_text(svg, {middle, 146}, asks[head], "small muted middle");
    HeatMap map{5, 5, {}};
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 5; ++j) {
        const double peaks[] = {j == i ? 0.9 : 0.03, j == std::min(i + 1, 4) ? 0.85 : 0.04,
                                j == 4 ? 0.9 : 0.03, 0.3};
        map.weights.push_back(peaks[head]);
      }
    }
    const Rect area{middle - 2.5 * kCell + 6, 182, 5 * kCell, 5 * kCell};
    draw_heat_map(svg, area, map, colour);
    draw_grid(svg, area, 5, 5, "muted thin");
    for (int i = 0; i < 5; ++i) {
      const std::string& letter = kStop[i];
      draw_text(svg, {area.x + kCell * (i + 0.5), area.y - 6}, letter, "mono middle muted");
      draw_text(svg, {area.x - 10, area.y + kCell * (i + 0.5) + 4}, letter, "mono middle muted");
    }
    draw_arrow(svg, {{area.middle(), 280}, {area.middle(), 310}}, "muted thin");
    draw_rect(svg, {left, 314, kBlock, 26}, text("box ", colour));
  }
  draw_text(svg, {x, 362}, "4 × 8 columns side by side: 32 again", "small muted");
  draw_arrow(svg, {{x + 251, 342}, {x + 251, 384}}, "muted");
  draw_word(svg, {x + 186, 388, 130, 28}, "W^{O} mixes them", "orange");
  return svg;
}

Svg grow_mask() {
  Svg svg =
      picture(11, 500, "The mask",
              "Scores of the rows bos, p, o, t, s against the same as columns. Those above the "
              "diagonal are minus "
              "infinity. Softmax turns them into weights of 0; every row still adds up to 1.");
  const double x = kRight;
  draw_text(svg, {x, 32}, "A row may look at itself and at earlier rows", "bold");
  const Words letters{"<bos>", "p", "o", "t", "s"}, next{"p", "o", "t", "s", "$"};
  const Numbers scores[] = {
      {1, 2, 0, 1, 2}, {0, 1, 2, 0, 1}, {2, 0, 1, 1, 0}, {1, 1, 0, 2, 1}, {0, 2, 1, 1, 0}};
  for (const bool weights : {false, true}) {
    const double top = weights ? 292 : 92, left = x + 110, cell = 54, high = 28;
    draw_text(svg, {x, top - 8}, weights ? "weights" : "scores", weights ? "bold purple" : "bold");
    draw_text(svg, {x, top + 5 * high + 20},
              weights ? "Softmax gives the future exactly 0, and every row still adds up to 1."
                      : "The future is −∞, whatever its score was.",
              "small muted");
    for (int i = 0; i < 5; ++i) {
      const auto row = static_cast<std::size_t>(i);
      const Numbers past(scores[i].begin(), scores[i].begin() + i + 1);
      const Numbers p = softmax_of(past);
      draw_text(svg, {left - 10, top + high * i + 19}, letters[row], "small end");
      if (!weights)
        draw_text(svg, {left + cell * i + cell / 2, top - 8}, letters[row], "small middle");
      for (int j = 0; j < 5; ++j) {
        const Rect rect{left + cell * j, top + high * i, cell, high};
        const bool future = j > i;
        const auto col = static_cast<std::size_t>(j);
        if (future) draw_rect(svg, rect, "tint orange");
        if (weights && !future) draw_heat_map(svg, rect, {1, 1, {0.7 * p[col]}}, "purple");
        const std::string words = weights  ? future ? "0" : fixed_number(p[col], 2)
                                   : future ? "−∞"
                                           : short_number(scores[i][col]);
        draw_text(svg, {rect.middle(), rect.y + 19}, words,
                  future ? "small middle orange" : "small middle");
      }
      if (weights)
        draw_text(svg, {left + 5 * cell + 12, top + high * i + 19}, text("→ ", next[row]),
                  "small muted");
    }
    draw_grid(svg, {left, top, 5 * cell, 5 * high}, 5, 5, "muted thin");
  }
  draw_text(svg, {x, 476}, "→ the token that the row has to predict, which it must not see",
            "small muted");
  return svg;
}

Svg grow_layers() {
  Svg svg{880, 500, "The whole model, and how it came about",
          "The program of step 12 as blocks: encoder and decoder of two layers each, and the "
          "scores as a product with "
          "the transposed embedding matrix. Beside it, the list of the parts with the step that "
          "added each.",
          ""};
  draw_text(svg, {20, 32}, "Step 12", "bold orange");
  draw_program(svg, 0, 450, 12);
  draw_line(svg, {kRight - 24, 20}, {kRight - 24, 480}, "grid thin");
  draw_text(svg, {kRight, 32}, "What failed, and what we added", "bold");
  const struct {
    int step;
    const char *failed, *added;
  } rows[] = {{1, "", "a bias"},
              {2, "one answer for everything", "the last letter"},
              {3, "it has not seen the question", "the mean of the source"},
              {4, "everything is equally loud", "attention"},
              {5, "it does not know where anything is", "positions"},
              {6, "no letter knows where the end is", "self-attention"},
              {7, "a vector forgets what it was", "the residual connection"},
              {8, "it mixes, and computes nothing", "the feed-forward network"},
              {9, "it depends on luck", "layer normalisation"},
              {10, "one question at a time", "heads"},
              {11, "it forgets what it has written", "masked self-attention"},
              {12, "it asks only once", "layers, and one E"}};
  double y = 72;
  for (const auto& row : rows) {
    draw_text(svg, {kRight + 20, y}, text(row.step), "small middle muted");
    draw_text(svg, {kRight + 46, y}, row.failed, "small muted");
    if (row.failed[0] != '\0') draw_text(svg, {kRight + 288, y}, "→", "small middle muted");
    draw_text(svg, {kRight + 308, y}, row.added, row.step == 12 ? "bold orange" : "");
    y += 34;
  }
  return svg;
}

// How many of 1,000 reversals are right: solid with the worst of five seeds, tinted with the best.
Svg grow_stairs(const std::string& measurements) {
  const Words names{"positions", "self-attention",   "residual", "feed-forward", "layer norm",
                    "heads",     "masked self-att.", "layers",   "training"};
  Svg svg{880, 380, "The stairs", "", ""};
  const Axes axes = make_axes({70, 50, 780, 240}, 4.5, 13.5, 0, 1000);
  draw_axes(svg, axes,
            {{}, ticks({0, 250, 500, 750, 1000}), "", "reversed without a mistake, of 1,000"});
  std::string words;
  int step = 0;
  for (const auto& row : read_table(measurements, "grow").rows) {
    const std::string& program = row.at("program");
    if (program.find("/reverse") == std::string::npos || ++step < 5) continue;
    const double least = number_in(row, "least"), most = number_in(row, "most");
    const Point low = axes(step - 0.36, least), high = axes(step + 0.36, most),
                foot = axes(step, 0);
    draw_rect(svg, {low.x, high.y, high.x - low.x, low.y - high.y}, "box blue");
    draw_rect(svg, {low.x, low.y, high.x - low.x, foot.y - low.y}, "area blue");
    draw_text(svg, {foot.x, foot.y + 20}, text(step), "bold middle");
    draw_text(svg, {foot.x, foot.y + (step % 2 == 0 ? 58.0 : 40.0)}, names[step - 5],
              "small muted middle");
    words += text(words.empty() ? "" : "; ", "step ", step, " from ", short_number(least), " to ",
                  short_number(most));
  }
  svg.description = text(
      "A bar for each step: how many reversals are right with the worst and the best of five "
      "seeds: ",
      words, ".");
  draw_rect(svg, {590, 18, 14, 14}, "area blue");
  draw_text(svg, {612, 30}, "the worst of five seeds", "small");
  draw_rect(svg, {770, 18, 14, 14}, "box blue");
  draw_text(svg, {792, 30}, "the best", "small");
  return svg;
}

}  // namespace attn::walkthrough
