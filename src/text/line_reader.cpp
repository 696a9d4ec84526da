#include "text/line_reader.h"

#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "text/lines.h"

namespace attn {

namespace {
constexpr const char* kInput = "standard input";
constexpr std::size_t kLongestLine = 1 << 20;
}  // namespace

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
  at_end_ = count == 0;
  return !at_end_;
}

std::optional<std::string> LineReader::next() {
  std::size_t end = buffer_.find('\n', begin_);
  while (end == std::string::npos && !at_end_) {
    ATTN_CHECK(buffer_.size() - begin_ <= kLongestLine, kInput, ", line ", line_ + 1,
               ": longer than ", kLongestLine, " bytes; expected one sentence a line");
    const std::size_t searched = buffer_.size() - begin_;
    if (fill()) end = buffer_.find('\n', searched);
  }
  // As in files, a byte order mark is no part of the first line, and alone it is no line.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (line_ == 0 && buffer_.compare(begin_, kByteOrderMark.size(), kByteOrderMark) == 0) {
    begin_ += kByteOrderMark.size();
  }
  if (end == std::string::npos && begin_ == buffer_.size()) return std::nullopt;

  ++line_;
  std::string_view line(buffer_);
  line = line.substr(begin_, end == std::string::npos ? end : end - begin_);
  begin_ = end == std::string::npos ? buffer_.size() : end + 1;
  return std::string(checked_line(line, kInput, line_));
}

}  // namespace attn
