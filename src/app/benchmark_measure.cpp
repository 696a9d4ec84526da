#include "app/benchmark_measure.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "app/console.h"
#include "app/progress.h"
#include "base/settings.h"

namespace attn::app {

namespace {

double seconds_of_calls(const std::function<void()>& work, long calls) {
  const double start = now();
  for (long call = 0; call < calls; ++call) work();
  return now() - start;
}

// Whether standard error is a terminal on which a line can be redrawn.
bool can_redraw() {
  return Progress::style_for(false) == Progress::Style::bar;
}

}  // namespace

double now() {
  using Clock = std::chrono::steady_clock;
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return (values[(n - 1) / 2] + values[n / 2]) / 2;
}

std::vector<double> seconds_of_runs(const std::function<void()>& work, const Patience& patience,
                                    const std::function<void()>& between) {
  // As many calls to a run as the clock needs; one, if the first call was long by far.
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

OptionGroup patience_options() {
  return {"Precision",
          {{"seconds", "S", "how long to measure each of them, at least",
            shortest(Patience().total_seconds)}}};
}

Patience patience_of(const Arguments& arguments) {
  Patience patience;
  if (!arguments.has("seconds")) return patience;
  double seconds = 0;
  try {
    seconds = parse_number<double>(arguments.value("seconds"), "a number");
  } catch (const Error&) {
  }
  if (!(seconds > 0 && seconds <= 3600)) {
    fail_usage("--seconds must be more than 0 and at most 3600, not '", arguments.value("seconds"),
               "'");
  }
  patience.total_seconds = seconds;
  patience.run_seconds = std::min(patience.run_seconds, seconds / 4);
  return patience;
}

void show_doing(const std::string& what) {
  if (can_redraw()) std::fputs(("\r\x1b[K" + what + " …").c_str(), stderr);
}

void clear_doing() {
  if (can_redraw()) std::fputs("\r\x1b[K", stderr);
}

}  // namespace attn::app
