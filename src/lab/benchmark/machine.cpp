// A speed alone says little: machines differ, and each changes from minute to minute. So its limit
// is measured just before and after it.
#include "lab/benchmark/machine.h"

#include <algorithm>

#include "base/clock.h"
#include "base/parallel.h"
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

// Bytes per second at which all threads together read numbers that no cache holds.
double read_sample(const Tensor& numbers) {
  constexpr Index kGrain = 1 << 16;
  const Index n = numbers.elements();
  std::vector<Real> sinks(n / kGrain + 1);
  const double seconds = seconds_of(
      [&] {
        parallel_ranges(n, kGrain, [&](Index begin, Index end) {
          sinks[begin / kGrain] = kernels().stream_sum(end - begin, numbers.data() + begin);
        });
      },
      {0.0005, 0, 1});
  return to_double(n) * sizeof(Real) / seconds;
}

struct Limits {
  double peak = 0, read = 0;  // the second is 0 if it was not measured
};

Limits best_limits(int count, const Announce& announce, bool briefly) {
  const WithThreads with(count);
  Limits best;
  announce("measuring the peak");
  for (int i = 0; i < 30; ++i) best.peak = std::max(best.peak, peak_sample());
  if (briefly) return best;
  announce("measuring the memory's bandwidth");
  const Tensor numbers = Tensor::zeros({Index{3} * (256 << 20) / Index{sizeof(Real)}});
  for (int i = 0; i < 4; ++i) best.read = std::max(best.read, read_sample(numbers));
  return best;
}

}  // namespace

double peak_sample() {
  // More tasks than threads, so that one which is held up does not hold up the others.
  constexpr Index kSteps = 10000;
  const Index tasks = 32 * threads();
  std::vector<double> operations(tasks);
  std::vector<Real> sinks(tasks);
  const double start = now();
  parallel_for(tasks,
               [&](Index i) { operations[i] = kernels().peak_multiply_adds(kSteps, &sinks[i]); });
  return to_double(tasks) * operations[0] / (now() - start);
}

Speed speed_of(const std::function<void()>& work, double operations, const Patience& patience) {
  std::vector<double> peaks;
  const std::vector<double> runs =
      seconds_of_runs(work, patience, [&] { peaks.push_back(peak_sample()); });
  return speed_of_runs(operations, runs, peaks);
}

Speed speed_of_runs(double operations, const std::vector<double>& seconds,
                    const std::vector<double>& peaks) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    shares.push_back(operations / seconds[i] / ((peaks[i] + peaks[i + 1]) / 2));
  }
  const double middle = median(seconds);
  return {middle, operations / middle, median(shares)};
}

Json measure_machine(const Announce& announce, bool briefly) {
  const Limits one = best_limits(1, announce, briefly);
  const Limits all = threads() == 1 ? one : best_limits(threads(), announce, briefly);
  const auto billions = [](double rate) { return rate > 0 ? Json(rate / 1e9) : Json(); };
  return Json::object({{"isa", isa_name()},
                       {"compiler", compiler()},
                       {"threads", threads()},
                       {"fma_peak_gflops_1", billions(one.peak)},
                       {"fma_peak_gflops", billions(all.peak)},
                       {"read_gbytes_per_second_1", billions(one.read)},
                       {"read_gbytes_per_second", billions(all.read)}});
}

}  // namespace attn
