#include "benchmark/machine.h"

#include <algorithm>
#include <vector>

#include "base/platform.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"
#include "tensor/tensor.h"

namespace attn {

namespace {

std::string compiler() {
#ifdef __clang__
  return __VERSION__;  // begins with its name
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace

double peak_sample() {
  // More tasks than threads, so that one which is held up does not hold up the others.
  constexpr Index kSteps = 10000;
  const Index tasks = 32 * threads();
  std::vector<double> operations(static_cast<std::size_t>(tasks));
  std::vector<Real> sinks(static_cast<std::size_t>(tasks));
  const double start = now();
  parallel_for(tasks, [&](Index task) {
    const auto i = static_cast<std::size_t>(task);
    operations[i] = kernels().peak_multiply_adds(kSteps, &sinks[i]);
  });
  return static_cast<double>(tasks) * operations[0] / (now() - start);
}

double multiply_add_peak(int count) {
  const WithThreads with(count);
  double best = 0;
  for (int i = 0; i < 30; ++i) best = std::max(best, peak_sample());
  return best;
}

MemoryStream::MemoryStream(double bytes) {
  const double numbers = std::min(bytes, kBytesBeyondCaches) / sizeof(Real) / 3;
  const Index n = std::max<Index>(1024, static_cast<Index>(numbers));
  x_ = y_ = z_ = Tensor::zeros({n});
}

double MemoryStream::sample() {
  const Index n = x_.elements();
  const Index grain = std::clamp<Index>(n / (4 * threads()), 1024, 1 << 16);
  const std::function<void()> triad = [&] {
    parallel_ranges(n, grain, [&](Index begin, Index end) {
      kernels().stream_triad(end - begin, 2, x_.data() + begin, y_.data() + begin,
                             z_.data() + begin);
    });
  };
  // The first time brings what fits into the caches.
  const double seconds = seconds_of(triad, {0.0005, 0, 1});
  return 3 * static_cast<double>(n) * sizeof(Real) / seconds;
}

double MemoryStream::read_sample() {
  constexpr Index kGrain = 1 << 16;
  const Index n = x_.elements();
  std::vector<Real> sinks(static_cast<std::size_t>(n / kGrain + 1));
  const std::function<void()> read = [&] {
    for (const Tensor* array : {&x_, &y_, &z_}) {
      parallel_ranges(n, kGrain, [&](Index begin, Index end) {
        sinks[static_cast<std::size_t>(begin / kGrain)] =
            kernels().stream_sum(end - begin, array->data() + begin);
      });
    }
  };
  return 3 * static_cast<double>(n) * sizeof(Real) / seconds_of(read, {0.0005, 0, 1});
}

Bandwidth memory_bandwidth(int count) {
  const WithThreads with(count);
  MemoryStream stream(kBytesBeyondCaches);
  Bandwidth best;
  for (int i = 0; i < 4; ++i) {
    best.triad = std::max(best.triad, stream.sample());
    best.read = std::max(best.read, stream.read_sample());
  }
  return best;
}

Speed speed_of(const Work& work, const Patience& patience) {
  MemoryStream stream(work.bytes);
  std::vector<Limits> limits;
  const std::vector<double> runs = seconds_of_runs(work.run, patience, [&] {
    limits.push_back({peak_sample(), work.bytes > 0 ? stream.sample() : 0});
  });
  return speed_of_runs(work.operations, work.bytes, runs, limits);
}

Speed speed_of_runs(double operations, double bytes, const std::vector<double>& seconds,
                    const std::vector<Limits>& limits) {
  std::vector<double> by_peak, by_memory;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    const double peak = (limits[i].peak + limits[i + 1].peak) / 2;
    const double bandwidth = (limits[i].bandwidth + limits[i + 1].bandwidth) / 2;
    by_peak.push_back(operations / peak / seconds[i]);
    by_memory.push_back(bandwidth > 0 ? bytes / bandwidth / seconds[i] : 0);
  }
  Speed speed;
  speed.seconds = median(seconds);
  speed.rate = operations / speed.seconds;
  speed.share = std::max(median(by_peak), median(by_memory));
  speed.bound_by_memory = median(by_memory) > median(by_peak);
  return speed;
}

Machine measure_machine(const Announce& announce, bool briefly) {
  Machine machine;
  machine.cpu = platform::processor_name();
  machine.isa = isa_name();
  machine.compiler = compiler();
  machine.threads = threads();
  announce("measuring the peak");
  machine.peak_1 = multiply_add_peak(1);
  machine.peak = machine.threads == 1 ? machine.peak_1 : multiply_add_peak(machine.threads);
  if (briefly) return machine;
  announce("measuring the memory's bandwidth");
  machine.bandwidth_1 = memory_bandwidth(1);
  machine.bandwidth =
      machine.threads == 1 ? machine.bandwidth_1 : memory_bandwidth(machine.threads);
  return machine;
}

}  // namespace attn
