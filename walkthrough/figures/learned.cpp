// How copy and reverse are learned, and where the trained heads look.
#include <cmath>

#include "figures.h"
#include "layers/cross_entropy.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

constexpr int kLast = 1000;  // step

std::vector<Point> curve(const Table& table, const std::string& y, double factor = 1) {
  std::vector<Point> points;
  for (const auto& row : table.rows) {
    const double value = factor * number_in(row, y);
    const double step = number_in(row, "step");
    if (std::isfinite(value) && step <= kLast) points.push_back({step, value});
  }
  return points;
}

void draw_task(Svg& svg, double x, const Table& table, const std::string& task) {
  const std::vector<Tick> steps = ticks({0, 200, 400, 600, 800, 1000});
  draw_text(svg, {x, 36}, task, "large bold");

  const Axes loss = make_axes({x, 84, 350, 200}, 0, kLast, 0, 4);
  draw_axes(svg, loss, {steps, ticks({0, 1, 2, 3, 4}), "", "loss"});
  constexpr int kV = 29;
  const double least = least_loss(0.1, kV);
  draw_line(svg, loss(0, std::log(kV)), loss(kLast, std::log(kV)), "muted thin fine");
  draw_text(svg, {loss.x.to, loss.y(std::log(kV)) - 7},
            text("guessing: ln 29 = ", fixed_number(std::log(kV), 2)), "small muted end halo");
  draw_line(svg, loss(0, least), loss(kLast, least), "muted thin fine");
  draw_text(svg, {loss.x.to, loss.y(least) + 18},
            text("the least there is: ", fixed_number(least, 2)), "small muted end halo");
  draw_curve(svg, loss, curve(table, "loss"), "blue");
  draw_curve(svg, loss, curve(table, "validation_loss"), "purple");
  draw_text(svg, {loss.x.to, loss.y(1.9)}, "in training", "blue bold small end halo");
  draw_text(svg, {loss.x.to, loss.y(1.9) + 19}, "validation, mean of the weights",
            "purple bold small end halo");

  const Axes wrong = make_axes({x, 352, 350, 130}, 0, kLast, 0, 100);
  draw_axes(
      svg, wrong,
      {steps, {{0, "0"}, {50, "50 %"}, {100, "100 %"}}, "step", "wrong tokens in validation"});
  draw_curve(svg, wrong, curve(table, "wrong", 100), "purple");
}

// One head: a row for each letter that is written, a column for each of the source. The cell in
// which the letter to be written stands is outlined.
void draw_head(Svg& svg, Point corner, double cell, const Table& head, bool reversed) {
  const std::vector<std::string> source(head.columns.begin() + 2, head.columns.end());
  HeatMap map{static_cast<int>(head.rows.size()), static_cast<int>(source.size()), {}};
  for (const auto& row : head.rows) {
    for (const std::string& column : source) map.weights.push_back(number_in(row, column));
  }
  const Rect area{corner.x, corner.y, map.cols * cell, map.rows * cell};
  draw_heat_map(svg, area, map, "blue");
  draw_rect(svg, area, "line muted thin");
  const auto draw_token = [&](Point at, const std::string& token) {
    const bool end = token == "<eos>";
    draw_text(svg, at, end ? "⏎" : token, end ? "middle" : "mono middle");
  };
  for (int i = 0; i < map.rows; ++i) {
    const int letters = map.cols - 1;  // the last one is the end, in both tasks
    const int right = reversed && i < letters ? letters - 1 - i : i;
    draw_rect(svg, {area.x + right * cell, area.y + i * cell, cell, cell}, "line orange thin");
    draw_token({area.x - 11, area.y + (i + 0.5) * cell + 4}, head.rows[i].at("writes"));
  }
  for (int j = 0; j < map.cols; ++j) {
    draw_token({area.x + (j + 0.5) * cell, area.y - 5}, source[j]);
  }
}

const char* const kTasks[] = {"copy", "reverse"};
const char* const kPairs[] = {"d u p l i c a t e s → d u p l i c a t e s",
                              "d u p l i c a t e s → s e t a c i l p u d"};

}  // namespace

Svg learning_curves(const std::string& measurements) {
  Svg svg{880, 574, "Learning copy and reverse",
          "Two pairs of charts, for copy and for reverse: the loss over the steps of training, "
          "which falls from above ln 29 = 3.37 to the least that label smoothing allows, 0.64, and "
          "the share of wrong tokens in validation, which falls from nearly 100 percent to 0. "
          "Reverse takes longer.",
          ""};
  const Table table = read_table(measurements, "learning");
  const Table copy = table.where("task", "copy"), reverse = table.where("task", "reverse");
  draw_task(svg, 70, copy, "copy");
  draw_task(svg, 500, reverse, "reverse");
  draw_text(svg, {70, 558},
            text("The first ", kLast, " steps; training ended after ", copy.rows.back().at("step"),
                 " and ", reverse.rows.back().at("step"), "."),
            "small muted");
  return svg;
}

Svg attention_copy_reverse(const std::string& measurements) {
  Svg svg{880, 512, "Where a head looks that writes a word or its reverse",
          "Two maps, each of one head of the encoder-decoder attention of a trained model. In the "
          "model that copies, dark cells form the diagonal; in the one that reverses, the other "
          "diagonal.",
          ""};
  const Table table = read_table(measurements, "attention");
  for (int i = 0; i < 2; ++i) {
    const double x = 60 + 430.0 * i;
    draw_text(svg, {x, 36}, kTasks[i], "large bold");
    draw_text(svg, {x, 60}, kPairs[i], "muted");
    draw_head(svg, {x, 96}, 31, table.where("task", kTasks[i]), i == 1);
  }
  draw_text(svg, {60, 468},
            "Layer 2, head 3. Row: the letter that is written. Column: the letter of the source. "
            "⏎: the end.",
            "small muted");
  draw_text(svg, {60, 488},
            "The stronger the colour, the more weight. Outlined: the letter to be written.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
