// A speed alone says little: machines differ, and each changes from minute to minute. So its limits
// are measured just before and after it.
#include "lab/benchmark/machine.h"

#include <algorithm>

#include "base/clock.h"
#include "base/parallel.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"
#include "lab/benchmark/system.h"

namespace attn {

namespace {

constexpr double kBytesBeyondCaches = 3.0 * (256 << 20);

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

MemoryStream::MemoryStream(double bytes) {
  const double numbers = std::min(bytes, kBytesBeyondCaches) / sizeof(Real) / 3;
  const Index n = std::max<Index>(1024, static_cast<Index>(numbers));
  x_ = y_ = z_ = Tensor::zeros({n});
}

double MemoryStream::sample() {
  const Index n = x_.elements();
  const Index grain = std::clamp<Index>(n / (4 * threads()), 1024, 1 << 16);
  const auto triad = [&] {
    parallel_ranges(n, grain, [&](Index begin, Index end) {
      kernels().stream_triad(end - begin, 2, x_.data() + begin, y_.data() + begin,
                             z_.data() + begin);
    });
  };
  // The first run loads what fits into the caches.
  const double seconds = seconds_of(triad, {0.0005, 0, 1});
  return 3 * static_cast<double>(n) * sizeof(Real) / seconds;
}

double MemoryStream::read_sample() {
  constexpr Index kGrain = 1 << 16;
  const Index n = x_.elements();
  std::vector<Real> sinks(static_cast<std::size_t>(n / kGrain + 1));
  const auto read = [&] {
    for (const Tensor* array : {&x_, &y_, &z_}) {
      parallel_ranges(n, kGrain, [&](Index begin, Index end) {
        sinks[static_cast<std::size_t>(begin / kGrain)] =
            kernels().stream_sum(end - begin, array->data() + begin);
      });
    }
  };
  return 3 * static_cast<double>(n) * sizeof(Real) / seconds_of(read, {0.0005, 0, 1});
}

Speed speed_of(const std::function<void()>& work, double operations, double bytes,
               const Patience& patience) {
  MemoryStream stream(bytes);
  std::vector<Limits> limits;
  const std::vector<double> runs = seconds_of_runs(work, patience, [&] {
    limits.push_back({peak_sample(), bytes > 0 ? stream.sample() : 0});
  });
  return speed_of_runs(operations, bytes, runs, limits);
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
  speed.bandwidth = bytes / speed.seconds;
  speed.share = std::max(median(by_peak), median(by_memory));
  speed.bound_by_memory = median(by_memory) > median(by_peak);
  return speed;
}

static Limits best_limits(int count, const Announce& announce, bool briefly) {
  const WithThreads with(count);
  Limits best;
  announce("measuring the peak");
  for (int i = 0; i < 30; ++i) best.peak = std::max(best.peak, peak_sample());
  if (briefly) return best;
  announce("measuring the memory's bandwidth");
  MemoryStream stream(kBytesBeyondCaches);
  for (int i = 0; i < 4; ++i) {
    best.bandwidth = std::max(best.bandwidth, stream.sample());
    best.read = std::max(best.read, stream.read_sample());
  }
  return best;
}

Json measure_machine(const Announce& announce, bool briefly) {
  const Limits one = best_limits(1, announce, briefly);
  const Limits all = threads() == 1 ? one : best_limits(threads(), announce, briefly);
  const auto billions = [](double rate) { return rate > 0 ? Json(rate / 1e9) : Json(); };
  return Json::object({{"cpu", processor_name()},
                       {"isa", isa_name()},
                       {"compiler", compiler()},
                       {"threads", threads()},
                       {"fma_peak_gflops_1", billions(one.peak)},
                       {"fma_peak_gflops", billions(all.peak)},
                       {"bandwidth_gbytes_per_second_1", billions(one.bandwidth)},
                       {"bandwidth_gbytes_per_second", billions(all.bandwidth)},
                       {"read_gbytes_per_second_1", billions(one.read)},
                       {"read_gbytes_per_second", billions(all.read)}});
}

}  // namespace attn
