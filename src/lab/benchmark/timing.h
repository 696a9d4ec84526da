// Running something until its time is known.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace attn {

// The middle value, or the mean of the two in the middle; 0 if empty.
double median(std::vector<double> values);

// How long to measure: at least `runs` runs, each of as many calls as take `run_seconds`; more runs
// until `total_seconds` have passed.
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

// Is told what is measured next, so that the program can show it.
using Announce = std::function<void(const std::string& what)>;

}  // namespace attn
