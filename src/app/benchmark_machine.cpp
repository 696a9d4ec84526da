#include "app/benchmark_machine.h"

#include <algorithm>
#include <vector>

#include "base/parallel.h"
#include "base/platform.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"
#include "tensor/tensor.h"

namespace attn::app {

namespace {

std::string compiler() {
#ifdef __clang__
  return __VERSION__;  // begins with its name
#else
  return "g++ " __VERSION__;
#endif
}

}  // namespace

WithThreads::WithThreads(int count) : before_(threads()) {
  set_threads(count);
}

WithThreads::~WithThreads() {
  set_threads(before_);
}

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
  std::vector<double> peaks, bandwidths;
  const std::vector<double> runs = seconds_of_runs(work.run, patience, [&] {
    peaks.push_back(peak_sample());
    bandwidths.push_back(work.bytes > 0 ? stream.sample() : 0);
  });

  std::vector<double> by_peak, by_memory;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const double peak = (peaks[i] + peaks[i + 1]) / 2;
    const double bandwidth = (bandwidths[i] + bandwidths[i + 1]) / 2;
    by_peak.push_back(work.operations / peak / runs[i]);
    by_memory.push_back(work.bytes > 0 ? work.bytes / bandwidth / runs[i] : 0);
  }
  Speed speed;
  speed.seconds = median(runs);
  speed.rate = work.operations / speed.seconds;
  speed.share = std::max(median(by_peak), median(by_memory));
  speed.bound_by_memory = median(by_memory) > median(by_peak);
  return speed;
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
  machine.bandwidth_1 = memory_bandwidth(1);
  machine.bandwidth =
      machine.threads == 1 ? machine.bandwidth_1 : memory_bandwidth(machine.threads);
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
                       {"bandwidth_gbytes_per_second_1", bandwidth(machine.bandwidth_1.triad)},
                       {"bandwidth_gbytes_per_second", bandwidth(machine.bandwidth.triad)},
                       {"read_gbytes_per_second_1", bandwidth(machine.bandwidth_1.read)},
                       {"read_gbytes_per_second", bandwidth(machine.bandwidth.read)}});
}

std::string to_text(const Machine& m) {
  std::vector<std::vector<std::string>> rows{
      {"", "1 thread", text(m.threads, " threads")},
      {"multiply-adds, GFLOP/s", giga(m.peak_1), giga(m.peak)},
  };
  if (m.bandwidth.triad > 0) {
    const Bandwidth &one = m.bandwidth_1, &all = m.bandwidth;
    rows.push_back({"memory, two read and one written, GB/s", giga(one.triad), giga(all.triad)});
    rows.push_back({"memory, read, GB/s", giga(one.read), giga(all.read)});
  }
  if (m.threads == 1) {
    for (std::vector<std::string>& row : rows) row.pop_back();
  }
  return text(m.cpu, ", ", m.isa, ", ", m.compiler, "\n\n", table(rows));
}

}  // namespace attn::app
