// The machine that a benchmark runs on, and its measured limits.
#pragma once

#include <functional>
#include <vector>

#include "lab/benchmark/timing.h"
#include "storage/json.h"

namespace attn {

// Operations per second of multiply-adds in registers, on all threads, during the next millisecond.
double peak_sample();

// How fast known work is done. Processors change speed and other programs interfere, so the peak is
// sampled between runs and each run compared with its neighbours; `share` is the median.
struct Speed {
  double seconds = 0, rate = 0, share = 0;  // rate: operations per second; share: of the peak
};
Speed speed_of(const std::function<void()>& work, double operations, const Patience& patience);
// The same from the seconds of runs; run i is between peaks i and i + 1.
Speed speed_of_runs(double operations, const std::vector<double>& seconds,
                    const std::vector<double>& peaks);

// The machine's names ("isa", "compiler", "threads"), and the best of many samples of its limits,
// on one thread ("fma_peak_gflops_1", "read_gbytes_per_second_1") and on all ("fma_peak_gflops",
// …). `briefly`: without memory, which takes a second or two and 768 MiB.
Json measure_machine(const Announce& announce, bool briefly = false);

}  // namespace attn
