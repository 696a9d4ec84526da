// One line of a terminal, redrawn while something takes its time. Elsewhere, or if TERM is dumb,
// nothing is shown.
#pragma once

#include <cstddef>
#include <string>

#include "app/terminal/console.h"
#include "base/clock.h"

namespace attn {

class StatusLine {
 public:
  explicit StatusLine(bool shown) : shown_(shown) {}
  // Takes the line off the terminal, as clear() does.
  ~StatusLine() { clear(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;

  // Whether it was last drawn a tenth of a second ago, or is not on the screen.
  bool is_due() const { return shown_ && (!on_screen_ || now() >= drawn_ + 0.1); }
  static std::size_t columns();  // that there are for it
  void draw(const std::string& line);
  void clear();

 private:
  bool shown_, on_screen_ = false;
  double drawn_ = 0;
};

// "translating: line 1,200, 24 %, 0:42 left"; without what is not known: the share that is done
// (0 to 1, or less than 0 if unknown), and the time left as long as nothing is done.
std::string countdown_line(const std::string& doing, double share, double seconds);

// How far a long command is: redrawn at most ten times a second.
class Countdown {
 public:
  explicit Countdown(bool shown) : line_(shown && can_redraw()) {}

  void show(const std::string& doing, double share);
  void clear() { line_.clear(); }
  // Starts over: what is shown from now on is the time left of something else.
  void restart() { start_ = now(); }

 private:
  StatusLine line_;
  double start_ = now();
};

}  // namespace attn
