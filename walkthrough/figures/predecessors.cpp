// Chapter 6.2: the Transformer beside what it replaced and beside variants of itself, as
// `attention experiment ladder` and `table3` measured them.
#include <algorithm>
#include <map>

#include "figures.h"
#include "lab/experiments/comparison.h"
#include "lab/experiments/statistics.h"
#include "table.h"
#include "trials.h"

namespace attn::walkthrough {

Svg predecessors(const std::string& measurements) {
  Svg svg{
      880, 300, "The Transformer and what it replaced, on reverse and the phrasebook",
      "Three panels with a row for each architecture, a dot for each of six seeds, and the mean "
      "with its interval: exact match on longer sequences of reverse, on the phrasebook's test "
      "and on its longer sentences.",
      ""};
  struct Panel {
    double x;
    const char *task, *measure;
  };
  for (const Panel& panel : {Panel{170, "reverse", "longer"}, Panel{410, "phrasebook", "test"},
                             Panel{650, "phrasebook", "longer"}}) {
    const Trials trials = read_trials(measurements, "architectures", panel.task);
    draw_text(svg, {panel.x, 24}, text(panel.task, ", ", panel.measure), "bold");
    draw_comparison(svg, {panel.x, 40, 210, 196},
                    compared_rows(trials.experiment, trials.results, panel.measure), panel.x == 170,
                    "exact match");
  }
  return svg;
}

Svg longer_training(const std::string& measurements) {
  Svg svg{880, 470, "The phrasebook, trained for up to 20,000 steps",
          "Two charts of the share of the test that is wrong, from 1,250 to 20,000 steps and over "
          "the time that they take, for the Transformer and six predecessors; all axes "
          "logarithmic.",
          ""};
  const Table table = read_table(measurements, "architectures_longer");
  const Table times = read_table(measurements, "architectures_times");
  const auto speed = [&](std::string variant) {
    std::replace(variant.begin(), variant.end(), ' ', '-');
    return number_in(times.where("variant", variant).rows.front(), "training");
  };
  std::vector<Axes> charts;
  for (const double x : {60, 500}) {
    Axes axes = make_axes({x, 116, 360, 280}, 700, 25000, 0.1, 100);
    axes.x.logarithmic = axes.y.logarithmic = true;
    draw_axes(svg, axes,
              {ticks({1250, 2500, 5000, 10000, 20000}, 5), ticks({0.1, 1, 10, 100}),
               x == 60 ? "steps" : "time, in steps of the Transformer", "wrong outputs, %"});
    charts.push_back(axes);
  }
  struct Curve {
    const char *variant, *label, *classes;
    Point key;
  };
  for (const Curve& curve : {Curve{"transformer", "Transformer", "purple thick", {60, 21}},
                             Curve{"lstm none", "LSTM, no attention", "orange", {60, 47}},
                             Curve{"lstm luong-general", "LSTM, Luong", "green", {260, 21}},
                             Curve{"convs2s", "ConvS2S", "green dashed", {260, 47}},
                             Curve{"lstm bahdanau", "LSTM, Bahdanau", "blue", {420, 21}},
                             Curve{"gru bahdanau", "GRU, Bahdanau", "blue dashed", {420, 47}},
                             Curve{"rnn bahdanau", "RNN, Bahdanau", "blue fine", {600, 21}}}) {
    std::map<double, std::vector<double>> wrong;  // by steps
    for (const auto& row : table.where("variant", curve.variant).rows) {
      wrong[number_in(row, "steps")].push_back(100 - 100 * number_in(row, "test"));
    }
    std::vector<Point> by_steps, by_time;
    for (const auto& [steps, seeds] : wrong) {
      by_steps.push_back({steps, mean(seeds)});
      by_time.push_back({steps * speed("transformer") / speed(curve.variant), mean(seeds)});
    }
    draw_curve(svg, charts[0], by_steps, curve.classes);
    draw_curve(svg, charts[1], by_time, curve.classes);
    draw_key(svg, curve.key, curve.label, curve.classes);
  }
  draw_text(svg, {60, 458},
            "Means of three seeds. Time: by the speed at which one thread of a Xeon trains each.",
            "small muted");
  return svg;
}

Svg variations(const std::string& measurements) {
  Svg svg{880, 788, "Table 3 in small, on the phrasebook",
          "Two panels with a row for each variant of the Transformer, a dot for each of twelve "
          "seeds, and the mean with its interval: exact match on the phrasebook's test and on its "
          "longer sentences.",
          ""};
  const Trials trials = read_trials(measurements, "table3");
  const auto panel = [&](double x, const std::string& measure, bool names) {
    std::vector<ComparedRow> rows = compared_rows(trials.experiment, trials.results, measure);
    // It ends near 0, and would leave no room for the differences of the others.
    const auto end = std::remove_if(
        rows.begin(), rows.end(), [](const ComparedRow& row) { return row.name == "no warm-up"; });
    rows.erase(end, rows.end());
    draw_text(svg, {x, 24}, text("phrasebook, ", measure), "bold");
    draw_comparison(svg, {x, 40, 320, 23 * static_cast<double>(rows.size())}, rows, names,
                    "exact match");
  };
  panel(190, "test", true);
  panel(540, "longer", false);
  draw_text(svg, {860, 776}, "Not drawn: no warm-up, which learns hardly anything.",
            "small muted end");
  return svg;
}

}  // namespace attn::walkthrough
