// Signals. While an Interruptible is alive, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP (the
// terminal was closed) asks the program to finish what it is doing and save; then Ctrl-C or SIGTERM
// ends it at once, as if nothing had been arranged.
#pragma once

namespace attn {

class Interruptible {
 public:
  Interruptible();
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  // The signal that came, or 0.
  int signal() const;
};

// Makes writing to a pipe that nobody reads, or more to a file than its limit, an error like any
// other, instead of a silent death.
void take_failed_writes_for_errors();

}  // namespace attn
