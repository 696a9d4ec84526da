// What was measured on sentences of two languages (§5.4).
#include <algorithm>

#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

Svg dropout_curves(const std::string& measurements) {
  Svg svg{
      880, 456, "What dropout is for: perplexities with three rates on the same sentences",
      "Perplexities over the steps of training, training dashed and validation solid. Without "
      "dropout training falls fastest and validation rises again from step 1,600 on. With dropout "
      "0.1 and 0.3 training falls more slowly, and validation falls lower; with 0.3 also for "
      "longer, to step 3,000.",
      ""};
  const Table table = read_table(measurements, "translation_curves");
  Axes axes = make_axes({70, 50, 560, 320}, 0, 5000, 1, 20);
  axes.y.logarithmic = true;
  draw_axes(svg, axes,
            {ticks({0, 1000, 2000, 3000, 4000, 5000}), ticks({1, 2, 5, 10, 20}), "step",
             "perplexity: dashed in training, solid in validation"});
  struct Curve {
    const char *run, *label, *classes;
    double lower, training_lower;  // the labels, so that no two overlap
  };
  for (const Curve& curve : {Curve{"dropout-0", "dropout 0", "orange", -5, 8},
                             Curve{"dropout-0.1", "dropout 0.1", "purple", -2, -6},
                             Curve{"fr-en-1", "dropout 0.3", "blue", 11, -8}}) {
    std::vector<Point> training, validation;
    for (const auto& row : table.where("run", curve.run).rows) {
      const double step = number_in(row, "step");
      training.push_back({step, number_in(row, "perplexity")});
      validation.push_back({step, number_in(row, "validation_perplexity")});
    }
    // The first means are of steps that still fall steeply, above the frame.
    const auto above = [&](const Point& p) { return p.y > axes.y.high; };
    training.erase(std::remove_if(training.begin(), training.end(), above), training.end());
    validation.erase(std::remove_if(validation.begin(), validation.end(), above), validation.end());
    draw_curve(svg, axes, training, text("dashed ", curve.classes));
    draw_curve(svg, axes, validation, curve.classes);
    const auto least = std::min_element(validation.begin(), validation.end(),
                                        [](const Point& a, const Point& b) { return a.y < b.y; });
    draw_circle(svg, axes(least->x, least->y), 4, text("area ", curve.classes));
    const Point end = axes(validation.back().x, validation.back().y);
    draw_text(svg, {end.x + 10, end.y + 5 + curve.lower}, curve.label,
              text("small bold ", curve.classes));
    const Point last = axes(training.back().x, training.back().y);
    draw_text(svg, {last.x + 10, last.y + 5 + curve.training_lower},
              text(curve.label, ", training"), text("small ", curve.classes));
  }
  draw_text(
      svg, {70, 444},
      "15,118 pairs of French and English sentences, one seed. Dots: the least of validation.",
      "small muted");
  return svg;
}

Svg translation_log(const std::string& measurements) {
  Svg svg{880, 330, "The log of a translator's training",
          "Left, perplexity over the steps: training falls to 1.4, validation has its minimum at "
          "step 3,000 and rises again. Right, BLEU rises from nothing to 20 between the steps 600 "
          "and 1,200, and still rises while validation perplexity does.",
          ""};
  const Table table = read_table(measurements, "translation_curves").where("run", "fr-en-1");
  Axes left = make_axes({60, 50, 370, 210}, 0, 5000, 1, 100);
  left.y.logarithmic = true;
  draw_axes(svg, left,
            {ticks({0, 1000, 2000, 3000, 4000, 5000}), ticks({1, 3, 10, 30, 100}), "step",
             "perplexity: dashed in training, solid in validation"});
  const Axes right = make_axes({500, 50, 350, 210}, 0, 5000, 0, 50);
  draw_axes(svg, right,
            {ticks({0, 1000, 2000, 3000, 4000, 5000}), ticks({0, 10, 20, 30, 40, 50}), "step",
             "BLEU in validation"});
  std::vector<Point> training, validation, bleu;
  for (const auto& row : table.rows) {
    const double step = number_in(row, "step"), perplexity = number_in(row, "perplexity");
    if (perplexity < left.y.high) training.push_back({step, perplexity});
    validation.push_back({step, number_in(row, "validation_perplexity")});
    bleu.push_back({step, number_in(row, "validation_bleu")});
  }
  draw_curve(svg, left, training, "dashed blue");
  draw_curve(svg, left, validation, "blue thick");
  draw_curve(svg, right, bleu, "orange thick");
  const auto least = std::min_element(validation.begin(), validation.end(),
                                      [](const Point& a, const Point& b) { return a.y < b.y; });
  draw_circle(svg, left(least->x, least->y), 4, "area blue");
  draw_text(svg, {60, 318}, "French to English, one run. Dot: the least of validation.",
            "small muted");
  return svg;
}

}  // namespace attn::walkthrough
