// The machine that a benchmark runs on, and its measured limits.
#pragma once

#include <functional>
#include <vector>

#include "lab/benchmark/timing.h"
#include "storage/json.h"
#include "tensor/tensor.h"

namespace attn {

// Operations per second of multiply-adds in registers, on all threads, during the next millisecond.
double peak_sample();
// The bandwidth of all threads together on three arrays of `bytes` bytes in all: as many as a layer
// touches, or far more than the caches hold.
class MemoryStream {
 public:
  explicit MemoryStream(double bytes);
  // Bytes per second during the next milliseconds: reading two arrays and writing a third, roughly
  // as layers do; or reading all three.
  double sample();
  double read_sample();

 private:
  Tensor x_, y_, z_;
};

// The speed of work that takes `operations` operations (of matrix products; nothing else is
// counted) and reads and writes `bytes` bytes. It takes no less time than the peak needs for its
// operations, or memory (a cache, if they fit there) for its bytes: the longer of these two is its
// limit. As processors change their speed, and other programs take their part, both are sampled
// between the runs and each run is compared with its neighbours; the share is the median.
struct Speed {
  double seconds = 0;
  double rate = 0, bandwidth = 0;  // operations and bytes per second; 0: not counted
  double share = 0;                // the limit's time divided by the measured time
  bool bound_by_memory = false;
};
Speed speed_of(const std::function<void()>& work, double operations, double bytes,
               const Patience& patience);

// Operations per second; bytes per second, reading two arrays and writing a third; and reading
// only. 0: not measured.
struct Limits {
  double peak = 0, bandwidth = 0, read = 0;
};
// The same from the seconds of runs that were measured in some other way; run i is between
// limits i and i + 1.
Speed speed_of_runs(double operations, double bytes, const std::vector<double>& seconds,
                    const std::vector<Limits>& limits);

// The machine's names ("cpu", "isa", "compiler", "threads"), and the best of many samples of its
// limits, on one thread ("fma_peak_gflops_1", …) and on all ("fma_peak_gflops", …): what it can do
// when no other program disturbs it. `briefly`: without the bandwidth, which takes a second or two
// and 768 MiB.
Json measure_machine(const Announce& announce, bool briefly = false);

}  // namespace attn
