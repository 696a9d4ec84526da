// Standard input, line by line, and whether there is another line at hand: so that a file is
// answered in batches, and a person or a slow pipe line by line.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/platform.h"

namespace attn {

class LineReader {
 public:
  // Reads up to `size` bytes and returns their number, 0 at the end, -1 on failure (errno set).
  using Read = std::function<std::ptrdiff_t(char* bytes, std::size_t size)>;
  explicit LineReader(Read read = platform::read_standard_input) : read_(std::move(read)) {}

  // The next line, without its end; nothing at the end of the input. Waits for it if it must.
  // Throws Error, naming the line and the byte, if it is not UTF-8, holds a NUL or does not end
  // within a megabyte, or if reading fails.
  std::optional<std::string> next();
  // Whether next() will answer without waiting.
  bool ready() const { return at_end_ || buffer_.find('\n', begin_) != std::string::npos; }
  // The number of the line that next() gave last, from 1.
  std::int64_t line() const { return line_; }

 private:
  bool fill();

  Read read_;
  std::string buffer_;
  std::size_t begin_ = 0;  // what comes before was given
  bool at_end_ = false;
  std::int64_t line_ = 0;
};

}  // namespace attn
