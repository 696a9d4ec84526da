// The machine that a benchmark runs on, and its measured limits.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "benchmark/timing.h"
#include "tensor/tensor.h"

namespace attn {

// Another number of threads while this exists.
class WithThreads {
 public:
  explicit WithThreads(int count) : before_(threads()) { set_threads(count); }
  ~WithThreads() { set_threads(before_); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  int before_;
};

// Operations per second of multiply-adds in registers, on all threads, during the next millisecond.
double peak_sample();
// The best of many samples, on that many threads: what the processor can do when no other program
// disturbs it.
double multiply_add_peak(int threads);

// How fast numbers are read from memory and written to it, on all threads, in arrays of that many
// bytes together: as many as a layer touches, or far more than the caches hold.
class MemoryStream {
 public:
  explicit MemoryStream(double bytes);
  // Bytes per second, during the next milliseconds: reading two arrays and writing a third, as
  // layers do more or less; or reading all three.
  double sample();
  double read_sample();

 private:
  Tensor x_, y_, z_;
};
constexpr double kBytesBeyondCaches = 3.0 * (256 << 20);
// The best of several samples, far beyond the caches, on that many threads.
struct Bandwidth {
  double triad = 0, read = 0;  // 0: not measured
};
Bandwidth memory_bandwidth(int threads);

// Work to measure, and what it has to do. Nothing takes less time than the peak needs for its
// operations, or memory (a cache, if they fit there) for its bytes: the longer of these two is its
// limit. As processors change their speed, and other programs take their part, both are sampled
// between the runs and each run is compared with its neighbours; the share is the median.
struct Work {
  std::function<void()> run;
  double operations = 0;  // of matrix products; nothing else is counted
  double bytes = 0;       // read and written; 0: not counted either
};
struct Speed {
  double seconds = 0;
  double rate = 0;   // operations per second
  double share = 0;  // the limit's time divided by the measured time
  bool bound_by_memory = false;
};
Speed speed_of(const Work& work, const Patience& patience);

// The limits sampled next to a run: operations and bytes per second.
struct Limits {
  double peak = 0, bandwidth = 0;  // a bandwidth of 0: not sampled
};
// The same from the seconds of runs that were measured in some other way; run i is between samples
// i and i + 1.
Speed speed_of_runs(double operations, double bytes, const std::vector<double>& seconds,
                    const std::vector<Limits>& limits);

struct Machine {
  std::string cpu, isa, compiler;
  int threads = 1;
  double peak_1 = 0, peak = 0;       // operations per second, on one thread and on all
  Bandwidth bandwidth_1, bandwidth;  // likewise
};
// The machine's names, and its measured limits; `briefly`: without the bandwidth, which takes a
// second or two and 768 MiB.
Machine measure_machine(const Announce& announce, bool briefly = false);

}  // namespace attn
