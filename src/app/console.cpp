#include "app/console.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "storage/json.h"
#include "text/lines.h"

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
// some terminals obey too, are two bytes of UTF-8.
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

std::size_t display_width(std::string_view text) {
  // Bytes that continue a character take no column of their own, nor do marks that stand above or
  // below the character before them (U+0300 to U+036F), as in x̂.
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool mark = byte == 0xCC || (byte == 0xCD && next <= 0xAF);
    if ((byte & 0xC0u) != 0x80 && !mark) ++width;
  }
  return width;
}

// What a text lacks of that many columns, in spaces.
static std::string padding(std::string_view text, std::size_t width) {
  const std::size_t used = display_width(text);
  return std::string(used < width ? width - used : 0, ' ');
}

std::string padded(std::string_view text, std::size_t width) {
  return std::string(text) + padding(text, width);
}

std::string right_aligned(std::string_view text, std::size_t width) {
  return padding(text, width) + std::string(text);
}

std::string wrapped(std::string_view paragraph, std::size_t column, std::size_t indent,
                    std::size_t columns) {
  std::string result;
  bool line_begins = true;
  for (const std::string_view word : words(paragraph)) {
    const std::size_t width = display_width(word);
    if (!line_begins && column + 1 + width > columns) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
      line_begins = true;
    }
    if (!line_begins) result += ' ';
    result += word;
    column += width + (line_begins ? 0 : 1);
    line_begins = false;
  }
  return result;
}

std::string grouped(Index number) {
  std::string digits = std::to_string(number);
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  for (std::size_t i = digits.size(); i > first + 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string fixed(double number, int digits) {
  char buffer[400];
  std::snprintf(buffer, sizeof buffer, "%.*f", digits, number);
  return buffer;
}

std::string percent(Index count, Index total) {
  if (total == 0) return "–";
  double part = 100 * static_cast<double>(count) / static_cast<double>(total);
  if (count < total) part = std::min(part, 99.9);
  return fixed(part, 1) + " %";
}

std::string clock_time(double seconds) {
  const long long s = std::llround(std::min(seconds, 1e9));
  char buffer[64];
  if (s < 3600) {
    std::snprintf(buffer, sizeof buffer, "%lld:%02lld", s / 60, s % 60);
  } else {
    std::snprintf(buffer, sizeof buffer, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
  }
  return buffer;
}

std::string duration(double seconds) {
  if (seconds < 10) return fixed(seconds, 1) + " s";
  const long long s = std::llround(seconds);
  if (s < 60) return text(s, " s");
  if (s < 3600) return text(s / 60, " min ", s % 60, " s");
  return text(s / 3600, " h ", s / 60 % 60, " min");
}

std::string shell_word(const std::string& word) {
  const auto plain = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::strchr("/._-+=:,@", c) != nullptr;
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), plain)) return word;
  std::string quoted = "'";
  for (const char c : word) {
    if (c == '\'') {
      quoted += "'\\''";
    } else {
      quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace attn::app
