// The variants of an experiment compared by one of its measures, in text and as a picture. A
// variant that diverged with any of its seeds has no mean: its row comes last and says so.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/drawing/chart.h"
#include "lab/experiments/runner.h"

namespace attn {

struct ComparedRow {
  std::string name;
  std::map<std::uint64_t, double> values;  // by seed; may be empty
  std::size_t diverged = 0;                // how many of them did

  bool has_mean() const { return !values.empty() && diverged == 0; }
};
// Of every variant; the baseline stays first whatever became of it.
std::vector<ComparedRow> compared_rows(const Experiment& experiment,
                                       const std::vector<TrialResult>& results,
                                       const std::string& measure);

// A line for each variant with the number n of seeds, the mean and its interval, and, from the
// baseline, over the seeds that all variants have, the mean difference, its interval, the p values
// of the sign-flip test, of this variant alone and of all here together, their family, and how
// large the true difference has to be for p of all below 0.05 in four experiments of five.
std::string comparison_text(const Experiment& experiment, const std::vector<TrialResult>& results,
                            const std::string& measure);

// A row for each variant with a dot for each of its values, a bar for their mean, and a line for
// the interval in which it lies; a dashed line goes down from the first row's mean. The
// scale is below the area; variants' names, if wanted, are left of it. Throws Error if there are no
// values.
void draw_comparison(Svg& svg, const Rect& area, const std::vector<ComparedRow>& rows, bool names,
                     const std::string& measure);

// An SVG file: the comparison of all variants by this measure. Variants without results have empty
// rows. Throws Error if there are no results.
std::string comparison_chart(const Experiment& experiment, const std::vector<TrialResult>& results,
                             const std::string& title, const std::string& measure);

}  // namespace attn
