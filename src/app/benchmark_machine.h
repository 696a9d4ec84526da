// The machine that a benchmark runs on, and its measured limits.
#pragma once

#include <functional>
#include <string>

#include "app/benchmark_measure.h"
#include "storage/json.h"

namespace attn::app {

// Another number of threads, for a while.
class WithThreads {
 public:
  explicit WithThreads(int count);
  ~WithThreads();
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  int before_;
};

// Operations a second when nothing but multiply-adds are done, on this many threads, in the
// millisecond from now.
double peak_sample(int threads);
// The best of many samples: what the processor can do when no other program disturbs it.
double multiply_add_peak(int threads);

// A speed, and its share of the peak. As processors change their speed, and other programs take
// their part, the peak is sampled between the runs and each run compared with its neighbours; the
// share is the median.
struct Speed {
  double seconds;  // of a call
  double rate;     // operations a second
  double share;
};
Speed speed_of(const std::function<void()>& work, double operations, int threads,
               const Patience& patience);

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
