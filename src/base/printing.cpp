// A column of a terminal is one character, not one byte: widths count characters of UTF-8.
#include "base/printing.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "base/check.h"
#include "base/utf8.h"

namespace attn {

std::size_t display_width(std::string_view text) {
  // Bytes that continue a character take no column of their own, nor do combining marks, which go
  // above or below the character before them (U+0300 to U+036F), as in x̂.
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const unsigned byte = static_cast<unsigned char>(text[i]);
    const unsigned next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    const bool mark = byte == 0xCC || (byte == 0xCD && next <= 0xAF);
    if ((byte & 0xC0u) != 0x80 && !mark) ++width;
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

std::string shell_word(const std::string& word) {
  constexpr const char* kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+=:,@";
  if (!word.empty() && word.find_first_not_of(kPlain) == word.npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? "'\\''" : std::string(1, c);
  return quoted + "'";
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
  std::size_t end = 0;
  for (std::size_t i = 0; i + 1 < width; ++i) end += first_character(text.substr(end)).size();
  return std::string(text.substr(0, end)) + "…";
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
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
