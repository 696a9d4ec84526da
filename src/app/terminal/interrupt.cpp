// A handler may do next to nothing: it notes which signal came, and the program asks between
// batches.
#include "app/terminal/interrupt.h"

#include <csignal>

namespace attn {

namespace {

volatile std::sig_atomic_t received = 0;

// A signal may have been ignored from the start: a shell does that for jobs in the background, and
// nohup for SIGHUP. Then it stays ignored.
void handle(int signal, void (*handler)(int)) {
  if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

// A second SIGHUP does not mean impatience: when a terminal closes, the system and the shell send
// one each.
extern "C" void receive(int signal) {
  received = signal;
  handle(SIGINT, SIG_DFL);
  handle(SIGTERM, SIG_DFL);
}

void handle_all(void (*handler)(int)) {
  handle(SIGINT, handler);
  handle(SIGTERM, handler);
#ifdef SIGHUP
  handle(SIGHUP, handler);
#endif
}

}  // namespace

Interruptible::Interruptible() {
  received = 0;
  handle_all(receive);
}

Interruptible::~Interruptible() {
  handle_all(SIG_DFL);
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
