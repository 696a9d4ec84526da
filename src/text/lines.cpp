// Bytes are read in chunks, and a line is copied once: when its end has been found.
#include "text/lines.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/check.h"
#include "base/format.h"
#include "base/utf8.h"
#include "storage/atomic_file.h"

namespace attn {

namespace {

// The bytes of a byte order mark at the beginning of a text. Alone, it is not a line.
std::size_t byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.substr(0, kMark.size()) == kMark ? kMark.size() : 0;
}

// Whether these are the first bytes of a file in UTF-16, which Windows PowerShell writes.
bool begins_utf16(std::string_view bytes) {
  return bytes.substr(0, 2) == "\xFF\xFE" || bytes.substr(0, 2) == "\xFE\xFF";
}

// A line as it was read up to '\n', checked and without its '\r'.
std::string checked_line(std::string_view line, std::string_view where, std::int64_t number) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::size_t invalid = first_invalid_utf8(line);
  ATTN_CHECK(invalid == line.size(), where, ", line ", number, ", byte ", invalid + 1,
             ": not UTF-8 (0x", hexadecimal(line[invalid]), ")",
             number == 1 && begins_utf16(line) ? ", but UTF-16; save it as UTF-8" : "");
  const std::size_t nul = line.find('\0');
  ATTN_CHECK(nul == line.npos, where, ", line ", number, ", byte ", nul + 1,
             ": a NUL byte, which no text has");
  return std::string(line);
}

}  // namespace

bool is_space(char byte) {
  return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

bool is_white_space(std::string_view character) {
  constexpr CodePoints kWhiteSpace[] = {
      {0x09, 0x0D},     {0x1C, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},     {0x1680, 0x1680},
      {0x2000, 0x200A}, {0x2028, 0x2029}, {0x202F, 0x202F}, {0x205F, 0x205F}, {0x3000, 0x3000}};
  return is_in(code_point(character), kWhiteSpace);
}

bool is_blank(std::string_view line) {
  // Control characters; joiners, marks of direction, fillers and selectors of variants.
  constexpr CodePoints kInvisible[] = {
      {0x00, 0x1F},     {0x7F, 0x9F},       {0xAD, 0xAD},      {0x34F, 0x34F},   {0x61C, 0x61C},
      {0x115F, 0x1160}, {0x17B4, 0x17B5},   {0x180B, 0x180F},  {0x200B, 0x200F}, {0x202A, 0x202E},
      {0x2060, 0x206F}, {0x3164, 0x3164},   {0xFE00, 0xFE0F},  {0xFEFF, 0xFEFF}, {0xFFA0, 0xFFA0},
      {0xFFF0, 0xFFFB}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
  for (; !line.empty(); line.remove_prefix(first_character(line).size())) {
    const std::string_view character = first_character(line);
    if (!is_white_space(character) && !is_in(code_point(character), kInvisible)) return false;
  }
  return true;
}

bool has_combining_marks(std::string_view line) {
  for (std::size_t i = 0; i + 1 < line.size(); ++i) {
    const unsigned byte = static_cast<unsigned char>(line[i]);
    const unsigned next = static_cast<unsigned char>(line[i + 1]);
    if (byte == 0xCC || (byte == 0xCD && next <= 0xAF)) return true;
  }
  return false;
}

std::vector<std::string_view> words(std::string_view line) {
  std::vector<std::string_view> result;
  for (auto end = line.begin();;) {
    const auto begin = std::find_if_not(end, line.end(), is_space);
    if (begin == line.end()) return result;
    end = std::find_if(begin, line.end(), is_space);
    result.emplace_back(&*begin, end - begin);
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

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

std::vector<std::string> read_lines(const std::string& path, std::size_t longest) {
  InputFile file(path, InputFile::Kind::file_or_stream);
  const auto read = [&](char* bytes, std::size_t count) {
    return static_cast<std::ptrdiff_t>(file.read(bytes, count));
  };
  LineReader reader(read, path, longest);
  return rest_of_lines(reader);
}

std::vector<std::string> rest_of_lines(LineReader& reader) {
  const double available = platform::available_memory();
  std::vector<std::string> lines;
  double letters = 0;
  while (std::optional<std::string> line = reader.next()) {
    letters += static_cast<double>(line->size());
    // A vector that grows exists twice for a moment, the new one twice as large.
    const double taken =
        letters + 3 * sizeof(std::string) * (static_cast<double>(lines.size()) + 1);
    // As ids, in batches and in counts of words they take as much again.
    ATTN_CHECK(
        taken < available / 2, reader.where(), ", line ", reader.line(),
        ": the lines so far take half of the memory that is available; does the file have an end? ",
        "Use a part of it");
    lines.push_back(std::move(*line));
  }
  return lines;
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
  ATTN_CHECK(count >= 0, "cannot read ", where_, ": ", std::strerror(errno));
  buffer_.resize(before + count);
  at_end_ = count == 0;
  return !at_end_;
}

std::optional<std::string> LineReader::next() {
  std::size_t end = buffer_.find('\n', begin_);
  for (;;) {
    const bool too_long = std::min(end, buffer_.size()) - begin_ > longest_;
    if (too_long && !std::exchange(skipping_, true)) {
      fail(where_, ", line ", ++line_, ": longer than ", grouped(longest_),
           " bytes; expected one sentence per line");
    }
    if (end != std::string::npos || at_end_) break;
    if (skipping_) begin_ = buffer_.size();
    const std::size_t searched = buffer_.size() - begin_;
    if (fill()) end = buffer_.find('\n', searched);
  }
  if (std::exchange(skipping_, false)) {
    begin_ = end == std::string::npos ? buffer_.size() : end + 1;
    return next();
  }
  if (line_ == 0 && !keeps_mark_) {
    begin_ += byte_order_mark(std::string_view(buffer_).substr(begin_));
  }
  if (end == std::string::npos && begin_ == buffer_.size()) return std::nullopt;

  const std::string_view line = std::string_view(buffer_).substr(begin_, end - begin_);
  begin_ = end == std::string::npos ? buffer_.size() : end + 1;
  return checked_line(line, where_, ++line_);
}

}  // namespace attn
