#include "app/terminal/progress.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <memory>

#include "app/terminal/printing.h"
#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("progress");

namespace {
ProgressState example() {
  ProgressState state;
  state.step = 1200;
  state.steps = 5000;
  state.loss = 0.12345;
  state.accuracy = 0.98765;
  state.tokens_per_second = 35123;
  state.seconds = 13;
  state.seconds_left = 42;
  state.at_most = true;
  return state;
}

// What it writes to standard error.
std::string said(const std::function<void()>& speak) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::tmpfile(), std::fclose);
  const int before = dup(2);
  dup2(fileno(file.get()), 2);
  speak();
  dup2(before, 2);
  close(before);
  std::string text(static_cast<std::size_t>(lseek(fileno(file.get()), 0, SEEK_END)), '\0');
  std::rewind(file.get());
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

StepReport step_report(Index step) {
  StepReport report;
  report.step = step;
  report.sums = {20, 20, 5, 10};
  report.seconds = 1;
  return report;
}

// The lines of so many of 100 steps in a pipe, which take 10 seconds each; a milestone is at the
// 5th.
std::string lines_of(Index steps, double minutes) {
  double seconds = 1000;
  TrainingSettings settings;
  settings.steps = 100;
  return said([&] {
    Progress progress(Progress::Style::lines, settings, 0, minutes, [&] { return seconds; });
    for (Index step = 1; step <= steps; ++step) {
      seconds += 10;
      progress.step(step_report(step));
      if (step == 5) progress.milestone(step, nullptr);
    }
  });
}
}  // namespace

TEST_CASE("on a terminal each validation is a line above the bar, and stays") {
  TrainingSettings settings;
  settings.steps = 10;
  const Validation validation{{20, 10, 9, 10}, 31.25};
  const std::string text = said([&] {
    Progress progress(Progress::Style::bar, settings, 0, 0);
    progress.step(step_report(1));
    progress.milestone(1, &validation);
    progress.milestone(1, nullptr);
    progress.step(step_report(2));
  });
  CHECK(count(text, "\n") == 1);
  const std::size_t line = text.find(
      "\r\x1b[Kstep 1/10  loss 2.0000  validation: loss 2.0000, "
      "perplexity 2.718, accuracy 90.0 %, BLEU 31.2");
  REQUIRE(line != text.npos);
  CHECK(text.find("━", text.find('\n')) != text.npos);
}

TEST_CASE("in a pipe there is a line at least every half minute") {
  const std::string text = lines_of(10, 0);
  CHECK(count(text, "\n") == 3);
  for (const char* line : {"step 3/100  loss 2.0000", "step 5/100", "step 8/100"}) {
    CHECK(contains(text, line));
  }
}

TEST_CASE("a run that took no step has no line to show") {
  Progress progress(Progress::Style::lines, TrainingSettings(), 0, 0);
  CHECK(said([&] { progress.milestone(0, nullptr); }).empty());
}

TEST_CASE("the line has as many numbers as fit, the most important first, and then a bar") {
  CHECK(progress_line(example(), 79) ==
        "━──────  1200/5000  0:13, ≤0:42 left  loss 0.1235  98.8 % right  35.1k tokens/s");
  CHECK(progress_line(example(), 61) == "1200/5000  0:13, ≤0:42 left  loss 0.1235  98.8 % right");
  CHECK(progress_line(example(), 50) == "━───────  1200/5000  0:13, ≤0:42 left  loss 0.1235");
  CHECK(progress_line(example(), 31) == "1200/5000  0:13, ≤0:42 left");
}

TEST_CASE("where --minutes will end it, time and bar are those of the minutes") {
  ProgressState state = example();
  state.by_time = true;
  state.at_most = false;
  state.seconds = 39;
  state.seconds_left = 13;
  CHECK(progress_line(state, 49) == "━━━━━━──  step 1200  0:39, 0:13 left  loss 0.1235");
  // In a pipe, 5 minutes end it, 20 do not.
  CHECK(contains(lines_of(3, 5), "step 3, 0:30 of 5:00  loss 2.0000"));
  CHECK(contains(lines_of(3, 20), "step 3/100  loss 2.0000"));
}

TEST_CASE("the line fits terminals of any width, whatever the numbers") {
  ProgressState large = example();
  large.steps = large.step = 123456789012;
  large.loss = 1e6;
  large.tokens_per_second = 1e9;
  large.seconds_left = 1e12;
  for (const ProgressState& state : {example(), ProgressState{}, large}) {
    for (std::size_t columns = 25; columns < 200; ++columns) {
      CHECK(display_width(progress_line(state, columns)) <= columns);
    }
  }
}

TEST_SUITE_END();

}  // namespace attn::test
