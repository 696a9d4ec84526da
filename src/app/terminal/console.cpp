// What goes to standard output must arrive, so every write is checked; nothing depends on messages.
#include "app/terminal/console.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/check.h"
#include "base/printing.h"
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
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    // U+0080 to U+009F, which some terminals also obey, are two bytes: C2 80 to C2 9F.
    const bool two = byte(i) == 0xC2 && i + 1 < text.size() && (byte(i + 1) & 0xE0) == 0x80;
    if (two) ++i;
    const bool layout = text[i] == '\n' || text[i] == '\t';
    if (two || (byte(i) < 0x20 && !layout) || byte(i) == 0x7F) {
      result += json_escape(byte(i));
    } else {
      result += text[i];
    }
  }
  return result;
}

void say(std::string_view message) {
  const std::string line = printable(message) + '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
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
