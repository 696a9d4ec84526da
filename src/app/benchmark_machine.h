// The machine that a benchmark runs on, and its measured limits.
#pragma once

#include <functional>
#include <string>

#include "app/benchmark_measure.h"
#include "storage/json.h"
#include "tensor/tensor.h"

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

// Operations a second when nothing but multiply-adds are done, on all threads, in the millisecond
// from now.
double peak_sample();
// The best of many samples, on so many threads: what the processor can do when no other program
// disturbs it.
double multiply_add_peak(int threads);

// How fast numbers come from memory and go there, on all threads, in arrays of so many bytes
// together: as many as a layer touches, or far more than the caches hold.
class MemoryStream {
 public:
  explicit MemoryStream(double bytes);
  double sample();  // bytes a second, in the milliseconds from now

 private:
  Tensor x_, y_, z_;
};
constexpr double kBytesBeyondCaches = 3.0 * (256 << 20);
// The best of several samples, on so many threads.
double memory_bandwidth(int threads);

// What some work has to do, and how fast that is done. Nothing takes less time than the peak needs
// for its operations, or memory (a cache, if they fit there) for its bytes: the longer of these two
// is its limit. As processors change their speed, and other programs take their part, both are
// sampled between the runs and each run is compared with its neighbours; the share is the median.
struct Work {
  std::function<void()> run;
  double operations = 0;  // of matrix products; what else is computed is not counted
  double bytes = 0;       // read and written; 0: not counted either
};
struct Speed {
  double seconds = 0;
  double rate = 0;   // operations a second
  double share = 0;  // the limit's time of the measured time
  bool bound_by_memory = false;
};
Speed speed_of(const Work& work, const Patience& patience);

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
