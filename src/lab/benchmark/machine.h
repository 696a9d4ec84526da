// The machine that a benchmark runs on, and its measured limits.
#pragma once

#include <functional>
#include <vector>

#include "lab/benchmark/timing.h"
#include "storage/json.h"

namespace attn {

// Operations per second of multiply-adds in registers, on all threads, during the next millisecond.
double peak_sample();

// How fast something is that takes a known number of operations. As processors change their speed,
// and other programs take their part, the peak is sampled between the runs and each run is compared
// with its neighbours; the share is the median.
struct Speed {
  double seconds = 0, rate = 0, share = 0;  // rate: operations per second; share: of the peak
};
Speed speed_of(const std::function<void()>& work, double operations, const Patience& patience);
// The same from the seconds of runs; run i is between peaks i and i + 1.
Speed speed_of_runs(double operations, const std::vector<double>& seconds,
                    const std::vector<double>& peaks);

// The machine's names ("isa", "compiler", "threads"), and the best of many samples of its
// limits, on one thread ("fma_peak_gflops_1", "read_gbytes_per_second_1") and on all
// ("fma_peak_gflops", …): what it can do when no other program disturbs it. `briefly`: without
// memory, which takes a second or two and 768 MiB.
Json measure_machine(const Announce& announce, bool briefly = false);

}  // namespace attn
