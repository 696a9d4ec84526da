// The lines of a text in memory, as read_lines gives those of a file.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "text/lines.h"

namespace attn::test {

inline std::vector<std::string> parse_lines(std::string_view contents, std::string_view where) {
  LineReader reader(
      [&](char* bytes, std::size_t size) {
        const std::size_t count = contents.copy(bytes, size);
        contents.remove_prefix(count);
        return static_cast<std::ptrdiff_t>(count);
      },
      std::string(where));
  std::vector<std::string> lines;
  while (std::optional<std::string> line = reader.next()) lines.push_back(std::move(*line));
  return lines;
}

}  // namespace attn::test
