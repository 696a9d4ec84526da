// Writing to the two streams: data to standard output, everything said about it to standard error,
// a line that is redrawn among it. And what comes back from the terminal: signals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/platform.h"

namespace attn {

// Standard output is a pipe that nobody reads any more, as with `| head -1`. Nothing is wrong: the
// program ends without a word, with the exit status of one that SIGPIPE ended.
struct ClosedPipe {};
constexpr int kClosedPipeStatus = 128 + 13;

// To standard output. Throws ClosedPipe, or Error if it cannot be written (a full disk).
void put(std::string_view data);
// Flushes it. Throws likewise.
void flush_output();

// Whether a stream is a terminal on which a line can be redrawn: TERM is not "dumb".
bool can_redraw(platform::Stream stream = platform::standard_error);
// Whether colours are wanted there as well: NO_COLOR is not set.
bool shows_colour(platform::Stream stream);

// The text with control characters, all but newline and tab, written as in JSON, \u001b: so what
// names in a file or words in a sentence contain does nothing to a terminal.
std::string printable(std::string_view text);
// A line to standard error, printable.
void say(std::string_view message);
// The same of "attention: warning: " and these parts, joined.
template <class... Parts>
void warn(const Parts&... parts) {
  say(text("attention: warning: ", parts...));
}

// Makes writing to a pipe that nobody reads, or more to a file than its limit, an error like any
// other, instead of a silent death.
void take_failed_writes_for_errors();

// From now on the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (the terminal was closed) asks the
// program to finish what it is doing and save; then Ctrl-C or SIGTERM ends it at once, as if
// nothing had been arranged, and as all three do after leave_signals.
void catch_signals();
void leave_signals();
// The signal that came, or 0.
int caught_signal();

// One line of a terminal, redrawn while something takes its time. Elsewhere nothing is shown.
class StatusLine {
 public:
  explicit StatusLine(bool shown = can_redraw()) : shown_(shown) {}
  // Takes the line off the terminal, as clear() does.
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  static std::size_t columns();  // that there are for it
  void draw(const std::string& line);
  void clear();
  // At most ten times a second.
  bool is_due() const { return shown_ && (!on_screen_ || now() >= drawn_ + 0.1); }
  // "translating: line 1,200 of 5,000", if it is due.
  void show_count(const std::string& doing, Index done, Index all);

 private:
  bool shown_, on_screen_ = false;
  double drawn_ = 0;
};

}  // namespace attn
