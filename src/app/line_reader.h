// Standard input, line by line, and whether there is another line at hand: so that a file is
// answered in batches, and a person or a slow pipe line by line.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace attn::app {

class LineReader {
 public:
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

  std::string buffer_;
  std::size_t begin_ = 0;  // what comes before was given
  bool at_end_ = false;
  std::int64_t line_ = 0;
};

}  // namespace attn::app
