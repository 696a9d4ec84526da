#include "text/lines.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include "base/check.h"
#include "base/format.h"
#include "base/utf8.h"
#include "storage/atomic_file.h"

namespace attn {

namespace {

constexpr const char* kInput = "standard input";
constexpr std::size_t kLongestLine = 1 << 20;

std::string hexadecimal(char byte) {
  char digits[8];
  std::snprintf(digits, sizeof digits, "0x%02X", static_cast<unsigned>(byte) & 0xFFu);
  return digits;
}

// The bytes of a byte order mark that a text begins with. It is not part of the first line, and
// alone it is not a line.
std::size_t byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(0, kMark.size()) == kMark ? kMark.size() : 0;
}

// A line as it was read up to '\n', checked and without its '\r'.
std::string checked_line(std::string_view line, std::string_view where, std::int64_t number) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::size_t invalid = first_invalid_utf8(line);
  ATTN_CHECK(invalid == line.size(), where, ", line ", number, ", byte ", invalid + 1,
             ": not UTF-8 (", hexadecimal(line[invalid]), ")");
  const std::size_t nul = line.find('\0');
  ATTN_CHECK(nul == line.npos, where, ", line ", number, ", byte ", nul + 1,
             ": a NUL byte, which no text has");
  return std::string(line);
}

}  // namespace

bool is_space(char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> result;
  for (auto end = line.begin();;) {
    const auto begin = std::find_if_not(end, line.end(), is_space);
    if (begin == line.end()) return result;
    end = std::find_if(begin, line.end(), is_space);
    result.emplace_back(&*begin, static_cast<std::size_t>(end - begin));
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

std::vector<std::string> parse_lines(std::string_view contents, std::string_view where) {
  contents.remove_prefix(byte_order_mark(contents));
  std::vector<std::string> lines;
  while (!contents.empty()) {
    const std::size_t end = contents.find('\n');
    const auto number = static_cast<std::int64_t>(lines.size()) + 1;
    lines.push_back(checked_line(contents.substr(0, end), where, number));
    contents.remove_prefix(end == contents.npos ? contents.size() : end + 1);
  }
  return lines;
}

std::vector<std::string> read_lines(const std::string& path) {
  return parse_lines(read_file(path), path);
}

// Reads what there is; false at the end of the input.
bool LineReader::fill() {
  buffer_.erase(0, begin_);
  begin_ = 0;
  constexpr std::size_t kChunk = 1 << 16;
  const std::size_t before = buffer_.size();
  buffer_.resize(before + kChunk);
  errno = 0;
  const std::ptrdiff_t count = read_(&buffer_[before], kChunk);
  ATTN_CHECK(count >= 0, "cannot read ", kInput, ": ", std::strerror(errno));
  buffer_.resize(before + static_cast<std::size_t>(count));
  bytes_read_ += count;
  at_end_ = count == 0;
  return !at_end_;
}

std::optional<std::string> LineReader::next() {
  std::size_t end = buffer_.find('\n', begin_);
  while (end == std::string::npos && !at_end_) {
    const bool too_long = buffer_.size() - begin_ > kLongestLine;
    if (too_long || skipping_) begin_ = buffer_.size();
    if (too_long && !std::exchange(skipping_, true)) {
      fail(kInput, ", line ", ++line_, ": longer than ", grouped(kLongestLine),
           " bytes; expected one sentence per line");
    }
    const std::size_t searched = buffer_.size() - begin_;
    if (fill()) end = buffer_.find('\n', searched);
  }
  if (std::exchange(skipping_, false)) {
    begin_ = end == std::string::npos ? buffer_.size() : end + 1;
    return next();
  }
  if (line_ == 0) begin_ += byte_order_mark(std::string_view(buffer_).substr(begin_));
  if (end == std::string::npos && begin_ == buffer_.size()) return std::nullopt;

  const std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = end == std::string::npos ? buffer_.size() : end + 1;
  return checked_line(line, kInput, ++line_);
}

}  // namespace attn
