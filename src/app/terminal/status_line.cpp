// \r moves to the beginning of the line, and ESC [ K erases the rest of it.
#include "app/terminal/status_line.h"

#include <algorithm>
#include <cstdio>

#include "app/terminal/streams.h"
#include "base/check.h"
#include "base/printing.h"

namespace attn {

std::size_t StatusLine::columns() {
  // One stays free: many terminals wrap when the last is written.
  return static_cast<std::size_t>(std::max(20, platform::terminal_columns()) - 1);
}

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

std::string countdown_line(const std::string& doing, double share, double seconds) {
  // If a share s of the work took t seconds, the rest takes t (1 − s)/s.
  std::string line = doing;
  if (share >= 0) line += text(", ", fixed(100 * share, 0), " %");
  if (share > 0) line += text(", ", clock_time(seconds / share * (1 - share)), " left");
  return line;
}

void Countdown::show(const std::string& doing, double share) {
  if (!line_.is_due()) return;
  line_.draw(countdown_line(doing, share, now() - start_).substr(0, StatusLine::columns()));
}

}  // namespace attn
