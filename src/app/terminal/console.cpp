// What goes to standard output must arrive, so every write is checked; nothing depends on messages.
#include "app/terminal/console.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "app/terminal/printing.h"
#include "base/clock.h"
#include "base/utf8.h"
#include "storage/json.h"

namespace attn {

static void check_written(bool written) {
  if (written) return;
  if (errno == EPIPE) throw ClosedPipe();
  fail("cannot write to standard output: ", std::strerror(errno));
}

void put(std::string_view data) {
  errno = 0;
  check_written(std::fwrite(data.data(), 1, data.size(), stdout) == data.size());
}

void flush_output() {
  errno = 0;
  check_written(std::fflush(stdout) == 0);
}

bool can_redraw(platform::Stream stream) {
  const char* const terminal = std::getenv("TERM");
  return platform::is_terminal(stream) && (!terminal || std::string_view(terminal) != "dumb");
}

bool shows_colour(platform::Stream stream) {
  const char* const unwanted = std::getenv("NO_COLOR");
  return can_redraw(stream) && (unwanted == nullptr || *unwanted == '\0');
}

std::string printable(std::string_view text) {
  std::string result;
  for (const std::string_view character : characters(text)) {
    const std::uint32_t code = code_point(character);
    const bool layout = code == '\n' || code == '\t';
    // Some terminals also obey U+0080 to U+009F.
    const bool control = (code < 0x20 && !layout) || (code >= 0x7F && code < 0xA0);
    result += control ? json_escape(code) : std::string(character);
  }
  return result;
}

void say(std::string_view message) {
  const std::string line = printable(message) + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

void take_failed_writes_for_errors() {
#ifdef SIGPIPE
  std::signal(SIGPIPE, SIG_IGN);
#endif
#ifdef SIGXFSZ
  std::signal(SIGXFSZ, SIG_IGN);
#endif
}

// A handler may do next to nothing: it notes the signal, and the program asks between batches.
static volatile std::sig_atomic_t received = 0;
static volatile double interrupted_at = 0;  // by the first SIGINT; 0 if none came

// A signal that was ignored from the start (background jobs, nohup's SIGHUP) stays ignored.
static void handle(int signal, void (*handler)(int)) {
  if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

static void handle_all(void (*handler)(int)) {
  handle(SIGINT, handler);
  handle(SIGTERM, handler);
#ifndef _WIN32
  handle(SIGHUP, handler);
  handle(SIGXCPU, handler);
#endif
}

// Only Ctrl-C is pressed in impatience. Systems, too, signal more than once, and give time to save:
// one SIGHUP comes from a terminal that closes and one from its shell, and SIGTERM follows at a
// shutdown; `timeout` signals the program and then its group, at once.
extern "C" {
static void receive(int signal) {
  constexpr double kAtOnce = 0.5;
  if (received == 0) received = signal;
  if (signal != SIGINT) return;
  if (interrupted_at == 0) {
    interrupted_at = now();
  } else if (now() - interrupted_at > kAtOnce) {
    std::signal(signal, SIG_DFL);
    std::raise(signal);
  }
}
}

void catch_signals() {
  received = 0;
  interrupted_at = 0;
  handle_all(receive);
}

void leave_signals() {
  handle_all(SIG_DFL);
}

int caught_signal() {
  return received;
}

std::size_t StatusLine::columns() {
  // One stays free: many terminals wrap when the last is written.
  return static_cast<std::size_t>(std::max(20, platform::terminal_columns()) - 1);
}

// \r moves to the beginning of the line, and ESC [ K erases the rest of it.
void StatusLine::draw(const std::string& line) {
  if (!shown_) return;
  std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
  std::fflush(stderr);
  drawn_ = now();
  on_screen_ = true;
}

void StatusLine::clear() {
  if (!on_screen_) return;
  on_screen_ = false;
  std::fputs("\r\x1b[K", stderr);
}

void StatusLine::show_count(const std::string& doing, Index done, Index all) {
  if (!is_due()) return;
  const std::string of_all = all > 0 ? " of " + grouped(all) : "";
  draw(shortened(doing + " " + grouped(done) + of_all, columns()));
}

}  // namespace attn
