// Table 1 as text and pictures: a row or a curve for each kind of layer.
#include "base/check.h"
#include "lab/experiments/compared_layers.h"
#include "lab/experiments/growth_chart.h"
#include "lab/experiments/statistics.h"
#include "lab/experiments/table1.h"
#include "lab/printing.h"
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

// The size in the middle, at which the others are varied.
Index middle(const std::vector<Index>& sizes) {
  return sizes.at((sizes.size() - 1) / 2);
}

std::string whole(double value) {
  return grouped(static_cast<Index>(value));
}

std::string range(const std::vector<Index>& sizes) {
  return text(sizes.front(), " to ", sizes.back());
}

// "1.00 (1.00)"
std::string exponent_text(const Table1Grid& grid, const std::vector<TrialResult>& work,
                          const ComparedLayer& kind, const char* measure, Size along) {
  const Exponents p = table1_exponents(grid, work, kind.name, measure, along);
  return fixed(p.measured, 2) + " (" + fixed(p.paper, 2) + ')';
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
  std::vector<double> sizes, values, formula;
  for (const Index size : along == Size::n ? grid.n : grid.d) {
    const Index n = along == Size::n ? size : middle(grid.n);
    const Index d = along == Size::d ? size : middle(grid.d);
    sizes.push_back(static_cast<double>(size));
    values.push_back(measured(at(layer, n, d), measure));
    formula.push_back(
        compared_layer(layer).formula(static_cast<double>(n), static_cast<double>(d)));
  }
  return {fitted_exponent(sizes, values), fitted_exponent(sizes, formula)};
}

std::string table1_work_text(const Table1Grid& grid, const std::vector<TrialResult>& work) {
  const Index n = middle(grid.n), d = middle(grid.d);
  const Measured measured{table1_work(grid, false), work};
  Rows rows{{"layer", "Table 1", "its products", "multiply-adds", "p in n^p", "p in d^p",
             "exponentials", "kept", "p in n^p", "peak"}};
  for (const ComparedLayer& kind : compared_layers()) {
    const auto value = [&](const char* measure) { return measured(at(kind.name, n, d), measure); };
    const double kept = table1_exponents(grid, work, kind.name, "kept", Size::n).measured;
    rows.push_back({kind.name, kind.complexity, kind.products, whole(value("multiply_adds")),
                    exponent_text(grid, work, kind, "multiply_adds", Size::n),
                    exponent_text(grid, work, kind, "multiply_adds", Size::d),
                    whole(value("exponentials")), whole(value("kept")),
                    value("kept") > 0 ? fixed(kept, 2) : "-", whole(value("peak"))});
  }
  return text("One layer forward, counted while it runs: n = ", n, ", d = ", d,
              ", k = ", kTable1Kernel, ", r = ", kTable1Window, ", ", kTable1Heads,
              " heads.\nExponents: p in n^p over n = ", range(grid.n),
              ", p in d^p over d = ", range(grid.d),
              "; in brackets that of Table 1.\nkept: bytes that its backward pass "
              "needs, apart from its input x; peak: bytes in use while it runs.\n\n",
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
  Rows rows{{"layer"}};
  for (const char* measure : {"steps", "path"}) {
    for (const Index n : grid.depth_n) rows[0].push_back(text(measure, " n=", n));
  }
  rows[0].push_back("Table 1");
  for (const ComparedLayer& kind : compared_layers()) {
    rows.push_back({kind.name});
    for (const char* measure : {"steps", "path"}) {
      for (const Index n : grid.depth_n) {
        rows.back().push_back(whole(measured(text(kind.name, " n=", n), measure)));
      }
    }
    rows.back().push_back(kind.path);
  }
  return text(
      "steps: the longest chain of products that need each other. path: the layers (in a "
      "recurrent\nlayer, the positions) until every output depends on every input.\n\n",
      table(rows));
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
