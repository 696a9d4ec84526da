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
