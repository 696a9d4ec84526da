#include "text/lines.h"

#include <cstdio>

#include "base/check.h"
#include "base/utf8.h"
#include "storage/atomic_file.h"

namespace attn {

namespace {

std::string hexadecimal(char byte) {
  char digits[8];
  std::snprintf(digits, sizeof digits, "0x%02X", static_cast<unsigned>(byte) & 0xFFu);
  return digits;
}

}  // namespace

bool is_space(char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> result;
  std::size_t begin = 0;
  while (true) {
    while (begin < line.size() && is_space(line[begin])) ++begin;
    if (begin == line.size()) return result;
    std::size_t end = begin;
    while (end < line.size() && !is_space(line[end])) ++end;
    result.push_back(line.substr(begin, end - begin));
    begin = end;
  }
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == separator) {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string_view checked_line(std::string_view line, std::string_view where, std::int64_t number) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::size_t invalid = first_invalid_utf8(line);
  ATTN_CHECK(invalid == line.size(), where, ", line ", number, ", byte ", invalid + 1,
             ": not UTF-8 (", hexadecimal(line[invalid]), ")");
  const std::size_t nul = line.find('\0');
  ATTN_CHECK(nul == line.npos, where, ", line ", number, ", byte ", nul + 1,
             ": a NUL byte, which no text has");
  return line;
}

std::vector<std::string> parse_lines(std::string_view contents, std::string_view where) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (contents.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
    contents.remove_prefix(kByteOrderMark.size());
  }
  std::vector<std::string> lines;
  while (!contents.empty()) {
    const std::size_t end = contents.find('\n');
    const auto number = static_cast<std::int64_t>(lines.size()) + 1;
    lines.emplace_back(checked_line(contents.substr(0, end), where, number));
    contents.remove_prefix(end == contents.npos ? contents.size() : end + 1);
  }
  return lines;
}

std::vector<std::string> read_lines(const std::string& path) {
  return parse_lines(read_file(path), path);
}

}  // namespace attn
