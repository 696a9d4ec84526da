// Table 1 as text and pictures: a row or a curve for each kind of layer.
#include <algorithm>

#include "base/check.h"
#include "base/printing.h"
#include "lab/experiments/growth_chart.h"
#include "lab/experiments/statistics.h"
#include "lab/experiments/table1.h"
#include "text/lines.h"

namespace attn {

namespace {

using Rows = std::vector<std::vector<std::string>>;

// What the trials of one of the experiments measured.
struct Measured {
  const Experiment experiment;
  const std::vector<TrialResult>& results;

  double operator()(const std::string& variant, const std::string& measure) const {
    const auto values = values_of(experiment, results, variant, measure);
    ATTN_CHECK(!values.empty(), "no result of ", variant);
    return values.begin()->second;
  }
};

std::string at(const std::string& layer, Index n, Index d) {
  return text(layer, " n=", n, " d=", d);
}

std::string whole(double value) {
  return grouped(static_cast<Index>(value));
}

std::string range(const std::vector<Index>& sizes) {
  return text(sizes.front(), " to ", sizes.back());
}

// "1.00 (1.00)". Nothing falls with a size, except by rounding.
std::string exponent_text(const Table1Grid& grid, const std::vector<TrialResult>& work,
                          const ComparedLayer& kind, const char* measure, Size along) {
  const Exponents p = table1_exponents(grid, work, kind.name, measure, along);
  return fixed(p.measured, 2) + " (" + fixed(std::max(p.paper, 0.0), 2) + ')';
}

// Each kind's values against n; `rest` is what follows in the names of the variants.
Svg chart(const Measured& measured, const std::vector<Index>& lengths, const std::string& rest,
          const std::string& measure, const std::string& title) {
  std::vector<Growth> curves;
  for (const ComparedLayer& kind : compared_layers()) {
    Growth curve{kind.name, {}};
    for (const Index n : lengths) {
      const double value = measured(text(kind.name, " n=", n, rest), measure);
      curve.points.push_back({static_cast<double>(n), value});
    }
    curves.push_back(std::move(curve));
  }
  return growth_chart(title, "length n", curves);
}

}  // namespace

Exponents table1_exponents(const Table1Grid& grid, const std::vector<TrialResult>& work,
                           const std::string& layer, const std::string& measure, Size along) {
  const Measured measured{table1_work(grid, false), work};
  const ComparedLayer& kind = compared_layer(layer);
  std::vector<double> sizes, values, formula;
  for (const Index size : along == Size::n ? grid.n : along == Size::d ? grid.d : grid.windows) {
    const Index n = along == Size::n ? size : middle(grid.n);
    const Index d = along == Size::d ? size : middle(grid.d);
    const Index window = along == Size::window ? size : kind.window;
    const std::string rest = along == Size::window ? text(" window=", window) : "";
    sizes.push_back(to_double(size));
    values.push_back(measured(at(layer, n, d) + rest, measure));
    formula.push_back(kind.formula(to_double(n), to_double(d), to_double(window)));
  }
  return {fitted_exponent(sizes, values), fitted_exponent(sizes, formula)};
}

std::string table1_work_text(const Table1Grid& grid, const std::vector<TrialResult>& work) {
  const Index n = middle(grid.n), d = middle(grid.d);
  const Measured measured{table1_work(grid, false), work};
  Rows rows{{"layer", "Table 1", "its products", "multiply-adds", "p in n^p", "p in d^p",
             "p in k^p, r^p", "exponentials", "kept"}};
  for (const ComparedLayer& kind : compared_layers()) {
    const auto value = [&](const char* measure) { return measured(at(kind.name, n, d), measure); };
    rows.push_back(
        {kind.name, kind.complexity, kind.products, whole(value("multiply_adds")),
         exponent_text(grid, work, kind, "multiply_adds", Size::n),
         exponent_text(grid, work, kind, "multiply_adds", Size::d),
         kind.window == 0 ? "-" : exponent_text(grid, work, kind, "multiply_adds", Size::window),
         whole(value("exponentials")), whole(value("kept"))});
  }
  return text("One layer forward, counted while it runs: n = ", n, ", d = ", d,
              ", k = ", compared_layer("convolution").window,
              ", r = ", compared_layer("restricted").window, ", ", kTable1Heads,
              " heads.\nExponents: p in n^p over n = ", range(grid.n),
              ", p in d^p over d = ", range(grid.d), ",\nin k^p and r^p over ", range(grid.windows),
              "; in brackets that of Table 1.\nkept: bytes that its backward pass "
              "needs, apart from its input x.\n\n",
              table(rows, {0, 1, 2}));
}

std::string table1_time_text(const Table1Grid& grid, const std::vector<TrialResult>& work) {
  const Measured measured{table1_work(grid, false), work};
  Rows rows{{"layer", "microseconds", "p in n^p", "p in d^p", "multiply-adds/ns"}};
  for (const ComparedLayer& kind : compared_layers()) {
    const std::string variant = at(kind.name, middle(grid.n), middle(grid.d));
    const double seconds = measured(variant, "seconds");
    rows.push_back({kind.name, fixed(1e6 * seconds, 1),
                    exponent_text(grid, work, kind, "seconds", Size::n),
                    exponent_text(grid, work, kind, "seconds", Size::d),
                    fixed(1e-9 * measured(variant, "multiply_adds") / seconds, 1)});
  }
  return text(
      "The same by the clock. A few processors take the n·d steps that could be taken at "
      "once one after\nanother, so the time grows with the work even where Table 1 says "
      "O(1) sequential operations.\n\n",
      table(rows));
}

std::string table1_depth_text(const Table1Grid& grid, const std::vector<TrialResult>& depth) {
  const Measured measured{table1_depth(grid), depth};
  const Index first = grid.depth_n.front(), last = grid.depth_n.back();
  Rows rows{{"layer", text("steps n=", first), text("steps n=", last)}};
  for (const Index n : grid.depth_n) rows[0].push_back(text("path n=", n));
  for (const char* title : {"path by k, r", "Table 1"}) rows[0].push_back(title);
  for (const ComparedLayer& kind : compared_layers()) {
    const auto value = [&](const char* measure, Index n, const std::string& rest = "") {
      return whole(measured(text(kind.name, " n=", n, rest), measure));
    };
    rows.push_back({kind.name, value("steps", first), value("steps", last)});
    for (const Index n : grid.depth_n) rows.back().push_back(value("path", n));
    std::string paths = kind.window == 0 ? "-" : "";
    for (const Index window : grid.windows) {
      if (kind.window > 0) paths += ' ' + value("path", last, text(" window=", window));
    }
    rows.back().push_back(paths);
    rows.back().push_back(kind.path);
  }
  return text(
      "steps: the longest chain of products that need each other. path: the layers until every\n"
      "output depends on every input (in a recurrent layer, the steps that every path from the\n"
      "first input to the last output takes). by k, r: at n = ",
      last, ", for windows from ", range(grid.windows), "\n\n", table(rows));
}

std::string table1_crossings_text(const std::vector<TrialResult>& crossings) {
  Rows rows{{"", "no more multiply-adds than", "d", "up to n"}};
  for (const TrialResult& result : crossings) {
    const std::vector<std::string> words = split(result.trial.variant, ' ');
    rows.push_back({words.at(0), words.at(1), words.at(2).substr(2),
                    result.values[0] > 0 ? whole(result.values[0]) : "never"});
  }
  return table(rows, {0, 1});
}

Svg table1_work_chart(const Table1Grid& grid, const std::vector<TrialResult>& work,
                      const std::string& measure, const std::string& title) {
  const Index d = middle(grid.d);
  return chart({table1_work(grid, false), work}, grid.n, text(" d=", d), measure,
               text(title, ", d = ", d));
}

Svg table1_depth_chart(const Table1Grid& grid, const std::vector<TrialResult>& depth,
                       const std::string& measure, const std::string& title) {
  return chart({table1_depth(grid), depth}, grid.depth_n, "", measure, title);
}

}  // namespace attn
