#include "app/progress.h"

#include <doctest/doctest.h>

#include "app/program.h"
#include "base/format.h"

namespace attn::test {

TEST_SUITE_BEGIN("progress");

namespace {
app::ProgressState example() {
  app::ProgressState state;
  state.step = 1200;
  state.steps = 5000;
  state.loss = 0.12345;
  state.accuracy = 0.98765;
  state.tokens_per_second = 35123;
  state.seconds_left = 42;
  state.at_most = true;
  return state;
}
}  // namespace

TEST_CASE("a wide terminal shows all there is") {
  const std::string line = app::progress_line(example(), 79, false);
  CHECK(display_width(line) == 79);
  for (const char* part :
       {"━", "─", "1200/5000", "loss 0.1235", "accuracy 98.8 %", "35.1k tokens/s", "≤0:42 left"}) {
    CAPTURE(part);
    CHECK(contains(line, part));
  }
}

TEST_CASE("a narrow terminal shows the bar, the step, the loss and the time") {
  const std::string line = app::progress_line(example(), 39, false);
  CHECK(display_width(line) == 39);
  for (const char* part : {"━", "1200/5000", "loss 0.1235", "≤0:42"}) CHECK(contains(line, part));
  CHECK(!contains(line, "tokens"));
}

TEST_CASE("the line fits terminals of any width, whatever the numbers") {
  app::ProgressState large = example();
  large.steps = large.step = 123456789012;
  large.loss = 1e6;
  large.tokens_per_second = 1e9;
  large.seconds_left = 1e12;
  for (const app::ProgressState& state : {example(), app::ProgressState{}, large}) {
    for (std::size_t columns = 25; columns < 200; ++columns) {
      CHECK(display_width(app::progress_line(state, columns, false)) <= columns);
    }
  }
}

TEST_CASE("without colour there is no escape sequence; with it, the same text") {
  const std::string plain = app::progress_line(example(), 79, false);
  std::string coloured = app::progress_line(example(), 79, true);
  CHECK(plain.find('\x1b') == std::string::npos);
  CHECK(coloured.find('\x1b') != std::string::npos);
  for (std::size_t at; (at = coloured.find('\x1b')) != std::string::npos;) {
    coloured.erase(at, coloured.find('m', at) - at + 1);
  }
  CHECK(coloured == plain);
}

TEST_CASE("nothing is all right before all of it is") {
  app::ProgressState state = example();
  state.accuracy = 0.99999;
  CHECK(contains(app::progress_line(state, 79, false), "99.9 %"));
}

TEST_SUITE_END();

}  // namespace attn::test
