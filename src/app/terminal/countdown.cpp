#include "app/terminal/countdown.h"

#include <algorithm>
#include <cstdio>

#include "app/terminal/progress.h"
#include "base/check.h"
#include "base/clock.h"
#include "base/format.h"
#include "base/platform.h"

namespace attn {

std::string countdown_line(const std::string& doing, double share, double seconds) {
  std::string line = doing;
  if (share >= 0) line += text(", ", fixed(100 * share, 0), " %");
  if (share > 0) line += text(", ", clock_time(seconds / share * (1 - share)), " left");
  return line;
}

Countdown::Countdown(bool shown)
    : shown_(shown && Progress::style_for(false) == Progress::Style::bar), start_(now()) {}

Countdown::~Countdown() {
  clear();
}

void Countdown::restart() {
  start_ = now();
}

void Countdown::show(const std::string& doing, double share) {
  if (!shown_ || now() < drawn_ + 0.1) return;
  drawn_ = now();
  on_screen_ = true;
  // One column stays free: many terminals wrap when the last is written.
  const int columns = std::max(20, platform::terminal_columns()) - 1;
  const std::string line =
      countdown_line(doing, share, now() - start_).substr(0, static_cast<std::size_t>(columns));
  std::fputs(("\r" + line + "\x1b[K").c_str(), stderr);
}

void Countdown::clear() {
  if (!on_screen_) return;
  on_screen_ = false;
  std::fputs("\r\x1b[K", stderr);
}

}  // namespace attn
