// A handler may do next to nothing: it notes which signal came, and the program asks between steps.
#include "app/terminal/interrupt.h"

#include <csignal>
#include <cstddef>
#include <iterator>

#include "base/platform.h"

namespace attn {

namespace {

volatile std::sig_atomic_t received = 0, on_terminal = 0;

// SIGHUP is last: when a terminal closes, both the system and the shell send it, so a second one
// does not mean impatience.
#ifdef SIGHUP
constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP};
#else
constexpr int kSignals[] = {SIGINT, SIGTERM};
#endif
constexpr std::size_t kCount = std::size(kSignals), kImpatient = 2;
void (*handlers_before[kCount])(int);

// A signal may have been ignored from the start: a shell does that for jobs in the background, and
// nohup for SIGHUP. Then it stays ignored.
extern "C" void receive(int signal) {
  received = signal;
  if (signal == SIGINT) {
    platform::write_from_signal_handler(on_terminal ? "\n" : "");
    platform::write_from_signal_handler("stopping and saving; Ctrl-C again stops at once\n");
  }
  for (std::size_t i = 0; i < kImpatient; ++i) {
    if (handlers_before[i] != SIG_IGN) std::signal(kSignals[i], SIG_DFL);
  }
}

}  // namespace

Interruptible::Interruptible() {
  received = 0;
  on_terminal = platform::is_terminal();
  for (std::size_t i = 0; i < kCount; ++i) {
    handlers_before[i] = std::signal(kSignals[i], receive);
    if (handlers_before[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);
  }
}

Interruptible::~Interruptible() {
  for (std::size_t i = 0; i < kCount; ++i) std::signal(kSignals[i], handlers_before[i]);
}

int Interruptible::signal() const {
  return received;
}

void take_failed_writes_for_errors() {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

}  // namespace attn
