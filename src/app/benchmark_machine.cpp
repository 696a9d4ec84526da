#include "app/benchmark_machine.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/benchmark_measure.h"
#include "base/parallel.h"
#include "base/platform.h"
#include "kernels/isa.h"
#include "kernels/peak.h"
#include "tensor/tensor.h"

namespace attn::app {

namespace {

// Another number of threads, for a while.
class WithThreads {
 public:
  explicit WithThreads(int count) { set_threads(count); }
  ~WithThreads() { set_threads(before_); }
  WithThreads(const WithThreads&) = delete;
  WithThreads& operator=(const WithThreads&) = delete;

 private:
  int before_ = threads();
};

std::string compiler() {
#ifdef __clang__
  return __VERSION__;  // begins with its name
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace

double multiply_add_peak(int count) {
  const WithThreads with(count);
  // More tasks than threads, so that one which is held up does not hold up the others.
  const Index tasks = 16 * count;
  std::vector<double> operations(static_cast<std::size_t>(tasks));
  std::vector<Real> sinks(static_cast<std::size_t>(tasks));
  const double seconds = seconds_of(
      [&] {
        parallel_for(tasks, [&](Index task) {
          const auto i = static_cast<std::size_t>(task);
          operations[i] = peak_multiply_adds(10000, &sinks[i]);
        });
      },
      {0.003, 0.015, 3});
  return static_cast<double>(tasks) * operations[0] / seconds;
}

double memory_bandwidth(int count, double bytes) {
  const WithThreads with(count);
  constexpr double kArrays = 3, kReal = sizeof(Real);
  const Index n = std::max<Index>(1024, static_cast<Index>(bytes / (kArrays * kReal)));
  const Index grain = std::clamp<Index>(n / (4 * count), 1024, 1 << 16);
  Tensor x = Tensor::zeros({n}), y = Tensor::zeros({n}), z = Tensor::zeros({n});
  const double seconds = seconds_of(
      [&] {
        parallel_ranges(n, grain, [&](Index begin, Index end) {
          stream_triad(end - begin, 2, x.data() + begin, y.data() + begin, z.data() + begin);
        });
      },
      {0.002, 0.02, 3});
  return kArrays * kReal * static_cast<double>(n) / seconds;
}

Machine measure_machine(bool briefly) {
  Machine machine;
  machine.cpu = platform::processor_name();
  machine.isa = isa_name();
  machine.compiler = compiler();
  machine.threads = threads();
  show_doing("measuring the peak");
  machine.peak_1 = multiply_add_peak(1);
  machine.peak = machine.threads == 1 ? machine.peak_1 : multiply_add_peak(machine.threads);
  if (briefly) return machine;
  show_doing("measuring the memory's bandwidth");
  machine.bandwidth_1 = memory_bandwidth(1, kBytesBeyondCaches);
  machine.bandwidth = machine.threads == 1 ? machine.bandwidth_1
                                           : memory_bandwidth(machine.threads, kBytesBeyondCaches);
  return machine;
}

Json to_json(const Machine& machine) {
  const auto bandwidth = [](double b) { return b > 0 ? Json(b / 1e9) : Json(); };
  return Json::object({{"cpu", machine.cpu},
                       {"isa", machine.isa},
                       {"compiler", machine.compiler},
                       {"threads", machine.threads},
                       {"fma_peak_gflops_1", machine.peak_1 / 1e9},
                       {"fma_peak_gflops", machine.peak / 1e9},
                       {"bandwidth_gbytes_per_second_1", bandwidth(machine.bandwidth_1)},
                       {"bandwidth_gbytes_per_second", bandwidth(machine.bandwidth)}});
}

std::string to_text(const Machine& m) {
  std::vector<std::vector<std::string>> rows{
      {"", "1 thread", text(m.threads, " threads")},
      {"multiply-adds, GFLOP/s", giga(m.peak_1), giga(m.peak)},
  };
  if (m.bandwidth > 0) rows.push_back({"memory, GB/s", giga(m.bandwidth_1), giga(m.bandwidth)});
  if (m.threads == 1) {
    for (std::vector<std::string>& row : rows) row.pop_back();
  }
  return text(m.cpu, ", ", m.isa, ", ", m.compiler, "\n\n", table(rows));
}

}  // namespace attn::app
