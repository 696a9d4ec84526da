#include "app/interrupt.h"

#include <csignal>

namespace attn::app {

namespace {

volatile std::sig_atomic_t received = 0;

constexpr int kSignals[] = {SIGINT, SIGTERM};
void (*handlers_before[2])(int) = {SIG_DFL, SIG_DFL};

// Whoever started the program may have had a signal ignored (a shell does, in the background); then
// it stays ignored.
extern "C" void receive(int signal) {
  received = signal;
  for (int i = 0; i < 2; ++i) {
    if (handlers_before[i] != SIG_IGN) std::signal(kSignals[i], SIG_DFL);
  }
}

}  // namespace

Interruptible::Interruptible() {
  received = 0;
  for (int i = 0; i < 2; ++i) {
    handlers_before[i] = std::signal(kSignals[i], receive);
    if (handlers_before[i] == SIG_IGN) std::signal(kSignals[i], SIG_IGN);
  }
}

Interruptible::~Interruptible() {
  for (int i = 0; i < 2; ++i) std::signal(kSignals[i], handlers_before[i]);
}

int Interruptible::signal() const {
  return received;
}

void ignore_closed_pipes() {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
}

}  // namespace attn::app
