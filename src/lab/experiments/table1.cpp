#include "lab/experiments/table1.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/check.h"
#include "base/number.h"
#include "lab/benchmark/timing.h"
#include "lab/experiments/compared_layers.h"
#include "lab/experiments/statistics.h"
#include "text/lines.h"

namespace attn {

namespace {

const std::vector<std::string> kWorkMeasures{"multiply_adds", "exponentials", "kept", "peak",
                                             "seconds"};
const std::vector<std::string> kDepthMeasures{"steps", "path"};

// Which costs are looked at: attention and what it is compared with.
const std::vector<std::pair<std::string, std::string>> kCrossings{
    {"bare-attention", "RNN"}, {"bare-attention", "LSTM"}, {"bare-attention", "convolution"},
    {"attention", "RNN"},      {"attention", "LSTM"},      {"attention", "convolution"},
};

double number(Index value) {
  return static_cast<double>(value);
}

Index multiply_adds(const std::string& layer, Index n, Index d) {
  return work_of(compared_layer(layer).make(d, 0), random_input(n, d)).multiply_adds;
}

// The greatest n with cost(one) ≤ cost(other): the difference grows with n, from some n on.
Index crossing(const std::string& one, const std::string& other, Index d) {
  const auto no_more = [&](Index n) {
    return multiply_adds(one, n, d) <= multiply_adds(other, n, d);
  };
  if (!no_more(1)) return 0;
  Index low = 1, high = 2;
  while (no_more(high)) {
    low = high;
    high *= 2;
    ATTN_CHECK(high <= 64 * d, one, " costs no more than ", other, " at any length tried");
  }
  while (high - low > 1) {
    const Index middle = (low + high) / 2;
    (no_more(middle) ? low : high) = middle;
  }
  return low;
}

}  // namespace

Table1Grid table1_grid(bool quick) {
  if (quick) return {{32, 64}, {16, 32}, {4, 8}, {16}};
  return {{128, 256, 512, 1024}, {64, 128, 256, 512}, {8, 16, 32, 64}, {32, 64, 128}};
}

Index middle(const std::vector<Index>& sizes) {
  return sizes.at((sizes.size() - 1) / 2);
}

Table1Cell table1_cell(const std::string& variant) {
  Table1Cell cell;
  for (const std::string& word : split(variant, ' ')) {
    const std::string key = word.substr(0, 2);
    if (key == "n=" || key == "d=") {
      (key == "n=" ? cell.n : cell.d) = parse_number<Index>(word.substr(2), "a size");
    } else {
      (cell.layer.empty() ? cell.layer : cell.other) = word;
    }
  }
  return cell;
}

Experiment table1_work(const Table1Grid& grid, bool timed) {
  Experiment experiment;
  experiment.seeds = {1};
  experiment.measures = kWorkMeasures;
  for (const ComparedLayer& kind : compared_layers()) {
    for (const Index d : grid.d) {
      for (const Index n : grid.n) {
        experiment.variants.push_back(text(kind.name, " n=", n, " d=", d));
      }
    }
  }
  experiment.run = [=](const Trial& trial, const std::string&) {
    const Table1Cell cell = table1_cell(trial.variant);
    const LayerFunction layer = compared_layer(cell.layer).make(cell.d, 0);
    const Tensor x = random_input(cell.n, cell.d);
    const Work work = work_of(layer, x);
    const double seconds = timed ? seconds_of([&] { layer(x); }) : 0;
    return std::vector<double>{number(work.multiply_adds), number(work.exponentials),
                               number(work.kept), number(work.peak), seconds};
  };
  return experiment;
}

Experiment table1_depth(const Table1Grid& grid) {
  Experiment experiment;
  experiment.seeds = {1};
  experiment.measures = kDepthMeasures;
  for (const ComparedLayer& kind : compared_layers()) {
    for (const Index n : grid.depth_n) experiment.variants.push_back(text(kind.name, " n=", n));
  }
  experiment.run = [](const Trial& trial, const std::string&) {
    const Table1Cell cell = table1_cell(trial.variant);
    const ComparedLayer& kind = compared_layer(cell.layer);
    const LayerFunction layer = kind.make(kDepthWidth, 0);
    const Tensor x = random_input(cell.n, kDepthWidth);
    return std::vector<double>{number(longest_chain([&] { layer(x); })),
                               number(kind.measure_path(cell.n))};
  };
  return experiment;
}

Experiment table1_crossings(const Table1Grid& grid) {
  Experiment experiment;
  experiment.seeds = {1};
  experiment.measures = {"n"};
  for (const auto& [one, other] : kCrossings) {
    for (const Index d : grid.crossing_d) {
      experiment.variants.push_back(text(one, ' ', other, " d=", d));
    }
  }
  experiment.run = [](const Trial& trial, const std::string&) {
    const Table1Cell cell = table1_cell(trial.variant);
    return std::vector<double>{number(crossing(cell.layer, cell.other, cell.d))};
  };
  return experiment;
}

Exponents table1_exponents(const Table1Grid& grid, const std::vector<TrialResult>& work,
                           const std::string& layer, const std::string& measure, Size along) {
  const auto column = static_cast<std::size_t>(
      std::find(kWorkMeasures.begin(), kWorkMeasures.end(), measure) - kWorkMeasures.begin());
  const ComparedLayer& kind = compared_layer(layer);
  std::vector<double> sizes, values, formula;
  for (const TrialResult& result : work) {
    const Table1Cell cell = table1_cell(result.trial.variant);
    const bool wanted = cell.layer == layer &&
                        (along == Size::n ? cell.d == middle(grid.d) : cell.n == middle(grid.n));
    if (!wanted) continue;
    sizes.push_back(number(along == Size::n ? cell.n : cell.d));
    values.push_back(result.values.at(column));
    formula.push_back(kind.formula(number(cell.n), number(cell.d)));
  }
  return {fitted_exponent(sizes, values), fitted_exponent(sizes, formula)};
}

}  // namespace attn
