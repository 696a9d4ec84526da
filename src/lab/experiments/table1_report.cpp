// Table 1 as text and pictures.
#include <algorithm>
#include <cstddef>
#include <functional>

#include "base/check.h"
#include "base/format.h"
#include "lab/experiments/compared_layers.h"
#include "lab/experiments/growth_chart.h"
#include "lab/experiments/table1.h"

namespace attn {

namespace {

// The values of a layer at a size; n or d 0: of results that do not have it.
const std::vector<double>& values_of(const std::vector<TrialResult>& results,
                                     const std::string& layer, Index n, Index d) {
  for (const TrialResult& result : results) {
    const Table1Cell cell = table1_cell(result.trial.variant);
    if (cell.layer == layer && cell.n == n && cell.d == d) return result.values;
  }
  fail("no result of ", layer, " with n = ", n, " and d = ", d);
}

std::string whole(double value) {
  return grouped(static_cast<Index>(value));
}

std::string range(const std::vector<Index>& sizes) {
  return text(sizes.front(), " to ", sizes.back());
}

std::string exponent_text(const Exponents& exponents) {
  return fixed(exponents.measured, 2) + " (" + fixed(exponents.paper, 2) + ')';
}

// Each kind's values against n.
std::vector<Growth> growths(const std::vector<Index>& lengths,
                            const std::function<double(const std::string&, Index)>& value) {
  std::vector<Growth> curves;
  for (const ComparedLayer& kind : compared_layers()) {
    Growth curve{kind.name, {}};
    for (const Index n : lengths) {
      curve.points.push_back({static_cast<double>(n), value(kind.name, n)});
    }
    curves.push_back(std::move(curve));
  }
  return curves;
}

std::size_t column_of(const Experiment& experiment, const std::string& measure) {
  const auto& all = experiment.measures;
  const auto found = std::find(all.begin(), all.end(), measure);
  ATTN_CHECK(found != all.end(), "Table 1 does not measure ", measure);
  return static_cast<std::size_t>(found - all.begin());
}

}  // namespace

std::string table1_work_text(const Table1Grid& grid, const std::vector<TrialResult>& work) {
  const Index n = middle(grid.n), d = middle(grid.d);
  std::vector<std::vector<std::string>> rows{{"layer", "Table 1", "its products", "multiply-adds",
                                              "p in n^p", "p in d^p", "exponentials", "kept",
                                              "p in n^p", "peak"}};
  for (const ComparedLayer& kind : compared_layers()) {
    const std::vector<double>& values = values_of(work, kind.name, n, d);
    const auto exponents = [&](const char* measure, Size along) {
      return table1_exponents(grid, work, kind.name, measure, along);
    };
    const double kept = exponents("kept", Size::n).measured;
    rows.push_back({kind.name, kind.complexity, kind.products, whole(values[0]),
                    exponent_text(exponents("multiply_adds", Size::n)),
                    exponent_text(exponents("multiply_adds", Size::d)), whole(values[1]),
                    whole(values[2]), values[2] > 0 ? fixed(kept, 2) : "-", whole(values[3])});
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
  const Index n = middle(grid.n), d = middle(grid.d);
  std::vector<std::vector<std::string>> rows{
      {"layer", "microseconds", "p in n^p", "p in d^p", "multiply-adds/ns"}};
  for (const ComparedLayer& kind : compared_layers()) {
    const std::vector<double>& values = values_of(work, kind.name, n, d);
    const auto exponents = [&](Size along) {
      return exponent_text(table1_exponents(grid, work, kind.name, "seconds", along));
    };
    rows.push_back({kind.name, fixed(1e6 * values[4], 1), exponents(Size::n), exponents(Size::d),
                    fixed(1e-9 * values[0] / values[4], 1)});
  }
  return text(
      "The same by the clock. A few processors take the n·d steps that could be taken at "
      "once one after\nanother, so the time grows with the work even where Table 1 says "
      "O(1) sequential operations.\n\n",
      table(rows));
}

std::string table1_depth_text(const Table1Grid& grid, const std::vector<TrialResult>& depth) {
  std::vector<std::vector<std::string>> rows{{"layer"}};
  for (const char* measure : {"steps", "path"}) {
    for (const Index n : grid.depth_n) rows[0].push_back(text(measure, " n=", n));
    if (std::string(measure) == "path") rows[0].push_back("Table 1");
  }
  for (const ComparedLayer& kind : compared_layers()) {
    rows.push_back({kind.name});
    for (const std::size_t measure : {std::size_t{0}, std::size_t{1}}) {
      for (const Index n : grid.depth_n) {
        rows.back().push_back(whole(values_of(depth, kind.name, n, 0)[measure]));
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
  std::vector<std::vector<std::string>> rows{{"", "no more multiply-adds than", "d", "up to n"}};
  for (const TrialResult& result : crossings) {
    const Table1Cell cell = table1_cell(result.trial.variant);
    rows.push_back({cell.layer, cell.other, text(cell.d),
                    result.values[0] > 0 ? whole(result.values[0]) : "never"});
  }
  return table(rows, {0, 1});
}

Svg table1_work_chart(const Table1Grid& grid, const std::vector<TrialResult>& work,
                      const std::string& measure, const std::string& title) {
  const std::size_t column = column_of(table1_work(grid, false), measure);
  const auto value = [&](const std::string& layer, Index n) {
    return values_of(work, layer, n, middle(grid.d))[column];
  };
  return growth_chart(text(title, ", d = ", middle(grid.d)), "length n", growths(grid.n, value));
}

Svg table1_depth_chart(const Table1Grid& grid, const std::vector<TrialResult>& depth,
                       const std::string& measure, const std::string& title) {
  const std::size_t column = column_of(table1_depth(grid), measure);
  const auto value = [&](const std::string& layer, Index n) {
    return values_of(depth, layer, n, 0)[column];
  };
  return growth_chart(title, "length n", growths(grid.depth_n, value));
}

}  // namespace attn
