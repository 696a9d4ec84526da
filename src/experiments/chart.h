// A picture of an experiment's results.
#pragma once

#include <string>
#include <vector>

#include "experiments/runner.h"

namespace attn {

// An SVG file: a row for each variant with a dot for each seed's value of the measure, a bar for
// their mean, and a line for the interval in which it lies; a dashed line goes down from the
// baseline's mean. Variants without results have empty rows. Throws Error if there are no results.
std::string comparison_chart(const Experiment& experiment, const std::vector<TrialResult>& results,
                             const std::string& title, const std::string& measure);

}  // namespace attn
