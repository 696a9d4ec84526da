// A column of a terminal is one character, not one byte: widths count characters of UTF-8.
#include "app/terminal/printing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "base/check.h"
#include "base/utf8.h"

namespace attn {

// What goes above or below the character before it, as in x̂, and what joins or is nothing.
static constexpr CodePoints kNoColumn[] = {
    {0x300, 0x36F},   {0x483, 0x489},   {0x591, 0x5BD},   {0x5BF, 0x5C7},   {0x610, 0x61A},
    {0x64B, 0x65F},   {0x670, 0x670},   {0x6D6, 0x6DC},   {0x93C, 0x93C},   {0x941, 0x948},
    {0x94D, 0x94D},   {0xE31, 0xE31},   {0xE34, 0xE3A},   {0xE47, 0xE4E},   {0x200B, 0x200F},
    {0x2060, 0x2064}, {0x20D0, 0x20F0}, {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F},
    {0xFEFF, 0xFEFF}};
// Of East Asia, and emoji: Unicode's East_Asian_Width W and F, in blocks.
static constexpr CodePoints kTwoColumns[] = {
    {0x1100, 0x115F},   {0x2E80, 0x303E},   {0x3041, 0xA4CF},  {0xA960, 0xA97C}, {0xAC00, 0xD7A3},
    {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},  {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const std::string_view character = first_character(text);
    const std::uint32_t code = code_point(character);
    width += is_in(code, kNoColumn) ? 0 : is_in(code, kTwoColumns) ? 2 : 1;
    text.remove_prefix(character.size());
  }
  return width;
}

// The spaces that fill a text up to that many columns.
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
  std::string result, word;
  std::istringstream words{std::string(paragraph)};
  while (words >> word) {
    const std::size_t width = display_width(word);
    if (!result.empty() && column + 1 + width > columns) {
      result += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!result.empty()) {
      result += ' ';
      ++column;
    }
    result += word;
    column += width;
  }
  return result;
}

std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::set<std::size_t>& flush_left) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string result;
  for (const std::vector<std::string>& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) line += "  ";
      line +=
          flush_left.count(i) > 0 ? padded(row[i], widths[i]) : right_aligned(row[i], widths[i]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    result += line + '\n';
  }
  return result;
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

std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<std::size_t>> d(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min(
          {d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
      }
    }
  }
  return d[a.size()][b.size()];
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  std::size_t end = 0, next = 0;
  while (display_width(text.substr(0, next)) < width) {
    end = next;
    next += first_character(text.substr(next)).size();
  }
  return std::string(text.substr(0, end)) + "…";
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& prefix) {
  std::string lower;
  for (const char c : word) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::string* best = nullptr;
  std::size_t fewest = std::min<std::size_t>(3, word.size() / 3 + 1);
  for (const std::string& candidate : candidates) {
    // The beginning of a name is as good as one slip.
    const bool abbreviated = word.size() >= 3 && candidate.compare(0, word.size(), lower) == 0;
    const std::size_t count = abbreviated ? 1 : word.size() > 40 ? 100 : edits(lower, candidate);
    if (count < fewest || (count == fewest && best == nullptr)) {
      best = &candidate;
      fewest = count;
    }
  }
  return best == nullptr ? "" : text("; did you mean ", prefix, *best, "?");
}

}  // namespace attn
