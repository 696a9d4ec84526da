// Text files and standard input as lines, and lines as words. A line ends at a newline only, as it
// does for `sed` and the tools that make parallel corpora (U+2028 and a form feed end no line).
// Words are separated by ASCII white space; a no-break space is part of a word.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/platform.h"

namespace attn {

// Whether a byte is ASCII white space: space, \t, \n, \v, \f or \r, whatever the locale.
bool is_space(char byte);

// Whether a character of UTF-8 is white space: Unicode's property White_Space, and the four
// separators of ASCII that Python's str.split adds, on which the scores' definitions rest.
bool is_white_space(std::string_view character);
// Whether a line shows nothing: only white space and characters without shape or width.
bool is_blank(std::string_view line);

// Whether an accent is a character of its own, after its letter: U+0300 to U+036F. (Most text has
// é as one character; macOS's file names and text from PDFs have two.)
bool has_combining_marks(std::string_view line);

// The words of a line, which are views of it.
std::vector<std::string_view> words(std::string_view line);

// The parts between separators: one more than there are separators, some perhaps empty.
std::vector<std::string> split(std::string_view text, char separator);

bool ends_with(std::string_view text, std::string_view end);

constexpr std::size_t kLongestLine = 1 << 20;  // in bytes

// All lines of a file, without Windows's carriage returns and a leading byte order mark; the last
// need not end in a newline. Throws Error, naming the file, the line and the byte (both from 1), if
// a line is not UTF-8, holds a NUL or is longer than `longest` bytes; also if the file cannot be
// read, or its lines do not fit into half of the available memory.
std::vector<std::string> read_lines(const std::string& path, std::size_t longest = kLongestLine);

// A file or standard input, line by line, with a test for whether another line is at hand, so that
// a file is answered in batches, and a person or a slow pipe line by line.
class LineReader {
 public:
  // Reads up to `size` bytes and returns their number, 0 at the end, -1 on failure (errno set).
  using Read = std::function<std::ptrdiff_t(char* bytes, std::size_t size)>;
  explicit LineReader(Read read = platform::read_standard_input,
                      std::string where = "standard input", std::size_t longest = kLongestLine,
                      bool keeps_mark = false)
      : read_(std::move(read)),
        where_(std::move(where)),
        longest_(longest),
        keeps_mark_(keeps_mark) {}

  // The next line, waiting if need be; nothing at the end. Throws Error as read_lines does, and
  // then continues after the wrong line; throws without counting a line if reading fails.
  std::optional<std::string> next();
  // Whether next() will answer without waiting.
  bool ready() const { return at_end_ || buffer_.find('\n', begin_) != std::string::npos; }
  // The number of the line that next() gave or refused last, from 1.
  std::int64_t line() const { return line_; }
  const std::string& where() const { return where_; }

 private:
  bool fill();

  Read read_;
  std::string where_;    // for messages
  std::size_t longest_;  // in bytes
  bool keeps_mark_;      // a leading byte order mark is text
  std::string buffer_;
  std::size_t begin_ = 0;  // the bytes before were returned
  bool at_end_ = false;
  bool skipping_ = false;  // what is left of a line that was too long
  std::int64_t line_ = 0;
};

// As read_lines, what a reader has not given yet.
std::vector<std::string> rest_of_lines(LineReader& reader);

}  // namespace attn
