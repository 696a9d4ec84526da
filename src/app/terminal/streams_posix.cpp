// Linux, macOS and other POSIX systems.
#include "app/terminal/streams.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace attn::platform {

bool is_terminal(Stream stream) {
  return isatty(stream) != 0;
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void write_from_signal_handler(const char* text) {
  const int before = errno;
  for (std::size_t left = std::strlen(text); left > 0;) {
    const ssize_t written = write(STDERR_FILENO, text, left);
    if (written <= 0) break;
    text += written;
    left -= static_cast<std::size_t>(written);
  }
  errno = before;
}

}  // namespace attn::platform
