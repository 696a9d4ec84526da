// The machine that a benchmark runs on, and its measured limits.
#pragma once

#include <string>

#include "storage/json.h"

namespace attn::app {

// Operations a second when nothing but multiply-adds are done, on this many threads, measured now
// (in about 20 ms). A machine that is shared, or warm, changes its mind: measure it beside whatever
// is compared with it.
double multiply_add_peak(int threads);
// Bytes a second on this many threads, reading and writing arrays of so many bytes together: as
// many as a layer touches, or far more than the caches hold.
double memory_bandwidth(int threads, double bytes);
constexpr double kBytesBeyondCaches = 3.0 * (256 << 20);

struct Machine {
  std::string cpu, isa, compiler;
  int threads = 1;
  double peak_1 = 0, peak = 0;            // operations a second, on one thread and on all
  double bandwidth_1 = 0, bandwidth = 0;  // bytes a second, likewise; 0: not measured
};
// Its names, and the limits measured; `briefly`: without the bandwidth, which takes a second or two
// and 768 MiB.
Machine measure_machine(bool briefly = false);

// The member "machine" of what --json prints, and what people read.
Json to_json(const Machine& machine);
std::string to_text(const Machine& machine);

}  // namespace attn::app
