// A picture of an experiment's results.
#pragma once

#include <string>
#include <vector>

#include "lab/experiments/runner.h"
#include "lab/figures/chart.h"

namespace attn {

// A row for each variant with a dot for each of its values, a bar for their mean, and a line for
// the interval in which it lies (bootstrap); a dashed line goes down from the first row's mean. The
// scale is below the area; variants' names, if wanted, are left of it. Throws Error if there are no
// values.
struct ComparedRow {
  std::string name;
  std::vector<double> values;  // may be empty
};
// Of every variant, the values of one measure.
std::vector<ComparedRow> compared_rows(const Experiment& experiment,
                                       const std::vector<TrialResult>& results,
                                       const std::string& measure);
void draw_comparison(Svg& svg, const Rect& area, const std::vector<ComparedRow>& rows, bool names,
                     const std::string& measure);

// An SVG file: the comparison of all variants by this measure. Variants without results have empty
// rows. Throws Error if there are no results.
std::string comparison_chart(const Experiment& experiment, const std::vector<TrialResult>& results,
                             const std::string& title, const std::string& measure);

}  // namespace attn
