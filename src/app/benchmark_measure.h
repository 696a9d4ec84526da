// What all benchmarks do: run something until its time is known, say what is being measured, and
// print a table.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/options.h"
#include "base/format.h"

namespace attn::app {

// Seconds on a clock that only goes forward.
double now();

// The middle one, or the mean of the two in the middle. Of nothing it is 0.
double median(std::vector<double> values);

// How long to measure: at least `runs` runs, each of as many calls as take `run_seconds`; more runs
// while `total_seconds` last.
struct Patience {
  double run_seconds = 0.005;
  double total_seconds = 0.1;
  int runs = 3;
};
// The seconds that a call takes, run by run. The first call, which wakes threads and takes memory,
// is not one of them. `between` is called before the first run and after each.
std::vector<double> seconds_of_runs(
    const std::function<void()>& work, const Patience& patience,
    const std::function<void()>& between = [] {});
// The median of all runs.
double seconds_of(const std::function<void()>& work, const Patience& patience = {});

// --seconds, how long to measure each thing, and the patience it asks for.
OptionGroup patience_options();
Patience patience_of(const Arguments& arguments);

// On a terminal: shows what is being measured now, until the next one is, or until it is cleared.
// Elsewhere nothing is said.
void show_doing(const std::string& what);
void clear_doing();

}  // namespace attn::app
