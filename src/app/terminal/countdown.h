// How far a long command is, with the time left: one line on a terminal, redrawn at most ten times
// a second, and nothing anywhere else.
#pragma once

#include <string>

namespace attn {

// "translating: line 1,200, 24 %, 0:42 left"; without what is not known: the share that is done
// (0 to 1, or less than 0 if unknown), and the time left as long as nothing is done.
std::string countdown_line(const std::string& doing, double share, double seconds);

class Countdown {
 public:
  explicit Countdown(bool shown);
  // Takes the line off the terminal, as clear() does.
  ~Countdown();
  Countdown(const Countdown&) = delete;
  Countdown& operator=(const Countdown&) = delete;

  void show(const std::string& doing, double share);
  void clear();
  // Starts over: what is shown from now on is the time left of something else.
  void restart();

 private:
  bool shown_;
  bool on_screen_ = false;
  double start_, drawn_ = 0;  // when, as now() says
};

}  // namespace attn
