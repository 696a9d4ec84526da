// \r moves to the beginning of the line, and ESC [ K erases the rest of it.
#include "app/terminal/status_line.h"

#include <algorithm>
#include <cstdio>

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

void StatusLine::show_count(const std::string& doing, Index done, Index all) {
  if (!is_due()) return;
  const std::string of_all = all > 0 ? " of " + grouped(all) : "";
  draw(shortened(doing + " " + grouped(done) + of_all, columns()));
}

}  // namespace attn
