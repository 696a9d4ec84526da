// Writing data to standard output and messages to standard error; catching signals.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/platform.h"

namespace attn {

// Standard output is a closed pipe, as with `| head -1`: exit silently, with SIGPIPE's status.
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

// The text with control characters except newline and tab as in JSON, \u001b: safe in a terminal.
std::string printable(std::string_view text);
// A line to standard error, printable.
void say(std::string_view message);
// The same of "attention: warning: " and these parts, joined.
template <class... Parts>
void warn(const Parts&... parts) {
  say(text("attention: warning: ", parts...));
}

// Makes writing to a closed pipe, or beyond a file's size limit, an error, not a silent death.
void take_failed_writes_for_errors();

// Ctrl-C (SIGINT), SIGTERM, SIGHUP (terminal closed) and SIGXCPU (processor time used up) now ask
// the program to finish and save; Ctrl-C again after half a second ends it at once, as all do after
// leave_signals.
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
