// What was measured on sentences of two languages (§5.4, appendix G).
#include <algorithm>
#include <map>

#include "figures.h"
#include "table.h"

namespace attn::walkthrough {

namespace {

struct Recipe {
  const char *run, *label, *classes;
  double key;  // where its name is
};

// One attention's entropy while models learn; a curve for each seed.
void draw_entropies(Svg& svg, const Rect& area, const Table& table, const std::string& attention,
                    const std::string& title, const std::vector<Recipe>& recipes) {
  const Axes axes = make_axes(area, 0, 8000, 0, 3);
  draw_axes(svg, axes, {ticks({0, 2000, 4000, 6000, 8000}), ticks({0, 1, 2, 3}), "step", ""});
  draw_text(svg, {area.x, area.y - 14}, title, "bold");
  for (const Recipe& recipe : recipes) {
    std::map<std::string, std::vector<Point>> seeds;
    for (const auto& row : table.where("run", recipe.run).rows) {
      seeds[row.at("seed")].push_back(
          {number_in(row, "step"), number_in(row, "entropy_" + attention)});
    }
    for (const auto& [seed, points] : seeds) draw_curve(svg, axes, points, recipe.classes);
  }
}

}  // namespace

Svg hardening_heads(const std::string& measurements) {
  Svg svg{
      880, 436, "Heads that harden while a translation model learns",
      "Two charts of the mean entropy of a query over the steps of training, in the decoder's and "
      "in the encoder's first self-attention. With post-norm, ours and PyTorch's alike, the "
      "decoder's falls from 2 nats, ours with three seeds to nearly 0 at step 2,500, and stays "
      "there; the encoder's follows, to 0.05 at step 8,000. With pre-norm both stay above 1 for "
      "2,000 steps. No head is saturated by our count, at any step.",
      ""};
  const Table table = read_table(measurements, "saturated_heads_text");
  const std::vector<Recipe> recipes{{"recipe", "post-norm", "orange", 60},
                                    {"pytorch", "post-norm, PyTorch", "purple", 220},
                                    {"pre", "pre-norm", "blue", 450}};
  for (const Recipe& r : recipes) draw_key(svg, {r.key, 21}, r.label, r.classes);
  draw_entropies(svg, {60, 90, 360, 260}, table, "decoder_first", "decoder's first self-attention",
                 recipes);
  draw_entropies(svg, {500, 90, 360, 260}, table, "encoder_first", "encoder's first self-attention",
                 recipes);
  draw_text(svg, {60, 404},
            "Mean entropy of a query, in nats. Captions of pictures; three seeds with post-norm.",
            "small muted");
  int looks = 0;
  int saturated = 0;
  for (const Recipe& recipe : recipes) {
    for (const auto& row : table.where("run", recipe.run).rows) {
      ++looks;
      for (const char* where : {"decoder_first", "encoder_first", "elsewhere"}) {
        saturated += static_cast<int>(number_in(row, where));
      }
    }
  }
  draw_text(svg, {60, 424},
            text("Heads that are saturated by our count, of 48: ", saturated, " in all ", looks,
                 " looks together."),
            "small muted");
  return svg;
}

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

}  // namespace attn::walkthrough
