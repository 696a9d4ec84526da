// One call may be shorter than a tick of the clock, so calls are timed in runs that are long
// enough; the median of the runs ignores those that another program disturbed.
#include "lab/benchmark/timing.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"

namespace attn {

static double seconds_of_calls(const std::function<void()>& work, long calls) {
  const double start = now();
  for (long call = 0; call < calls; ++call) work();
  return now() - start;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

std::vector<double> seconds_of_runs(const std::function<void()>& work, const Patience& patience,
                                    const std::function<void()>& between) {
  // As many calls per run as the clock needs; one, if the first call was much longer than that.
  long calls = 1;
  double run = seconds_of_calls(work, calls);
  if (run < 4 * patience.run_seconds) run = seconds_of_calls(work, calls);
  while (run < patience.run_seconds) {
    const double wanted = static_cast<double>(calls) * 1.2 * patience.run_seconds / run;
    calls = std::clamp(std::lround(std::min(wanted, 1e9)), calls + 1, 100 * calls);
    run = seconds_of_calls(work, calls);
  }

  std::vector<double> runs;
  const double start = now();
  between();
  while (static_cast<int>(runs.size()) < patience.runs || now() - start < patience.total_seconds) {
    runs.push_back(seconds_of_calls(work, calls) / static_cast<double>(calls));
    between();
  }
  return runs;
}

double seconds_of(const std::function<void()>& work, const Patience& patience) {
  return median(seconds_of_runs(work, patience));
}

}  // namespace attn
