#include "app/console.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "storage/json.h"

namespace attn::app {

void put(std::string_view data) {
  errno = 0;
  ATTN_CHECK(std::fwrite(data.data(), 1, data.size(), stdout) == data.size(),
             "cannot write to standard output: ", std::strerror(errno));
}

void flush_output() {
  errno = 0;
  ATTN_CHECK(std::fflush(stdout) == 0, "cannot write to standard output: ", std::strerror(errno));
}

namespace {

// The control character that begins at a byte; -1 if none does. Those from U+0080 to U+009F, which
// some terminals also obey, are two bytes of UTF-8.
int control_at(std::string_view text, std::size_t i) {
  const int byte = static_cast<unsigned char>(text[i]);
  if (byte == 0xC2 && i + 1 < text.size()) {
    const int next = static_cast<unsigned char>(text[i + 1]);
    return next >= 0x80 && next < 0xA0 ? next : -1;
  }
  return (byte < 0x20 && byte != '\n') || byte == 0x7F ? byte : -1;
}

}  // namespace

void say(std::string_view message) {
  std::string line;
  for (std::size_t i = 0; i < message.size(); ++i) {
    const int control = control_at(message, i);
    if (control < 0) {
      line += message[i];
      continue;
    }
    line += json_escape(static_cast<unsigned>(control));
    if (control >= 0x80) ++i;
  }
  line += '\n';
  std::fwrite(line.data(), 1, line.size(), stderr);
}

}  // namespace attn::app
