#include "app/interrupt.h"

#include <csignal>

namespace attn::app {

namespace {

volatile std::sig_atomic_t received = 0;

extern "C" void receive(int signal) {
  received = signal;
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

}  // namespace

Interruptible::Interruptible() {
  received = 0;
  std::signal(SIGINT, receive);
  std::signal(SIGTERM, receive);
}

Interruptible::~Interruptible() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
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
