#include "app/interrupt.h"

#include <csignal>

namespace attn::app {

namespace {

volatile std::sig_atomic_t received = 0;

using Handler = void (*)(int);
Handler old_interrupt = SIG_DFL, old_terminate = SIG_DFL;

// Whoever started the program may have had a signal ignored (a shell does, in the background): so
// it stays.
extern "C" void receive(int signal) {
  received = signal;
  if (old_interrupt != SIG_IGN) std::signal(SIGINT, SIG_DFL);
  if (old_terminate != SIG_IGN) std::signal(SIGTERM, SIG_DFL);
}

Handler handle(int signal) {
  const Handler old = std::signal(signal, receive);
  if (old == SIG_IGN) std::signal(signal, SIG_IGN);
  return old;
}

}  // namespace

Interruptible::Interruptible() {
  received = 0;
  old_interrupt = handle(SIGINT);
  old_terminate = handle(SIGTERM);
}

Interruptible::~Interruptible() {
  std::signal(SIGINT, old_interrupt);
  std::signal(SIGTERM, old_terminate);
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
