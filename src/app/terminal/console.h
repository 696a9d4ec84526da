// Writing to the two streams: data to standard output, everything said about it to standard error.
#pragma once

#include <string>
#include <string_view>

#include "base/check.h"
#include "base/format.h"
#include "base/platform.h"

namespace attn {

// Standard output is a pipe that nobody reads any more, as with `| head -1`. Nothing is wrong: the
// program ends without a word, with the exit status of one that SIGPIPE ended.
struct ClosedPipe {};
constexpr int kClosedPipeStatus = 128 + 13;

// To standard output. Throws ClosedPipe, or Error if it cannot be written (a full disk).
void put(std::string_view data);
// Flushes standard output. Throws likewise; main() calls it at the end.
void flush_output();

// Whether a stream is a terminal on which a line can be redrawn: TERM is not "dumb".
bool can_redraw(platform::Stream stream = platform::standard_error);
// Whether colours are wanted there as well: NO_COLOR is not set.
bool shows_colour(platform::Stream stream);

// The text with control characters, all but newline and tab, written as in JSON, \u001b: so what
// names in a file or words in a sentence contain does nothing to a terminal.
std::string printable(std::string_view text);
// A line to standard error, printable.
void say(std::string_view message);
// The same of "attention: warning: " and these parts, joined.
template <class... Parts>
void warn(const Parts&... parts) {
  say(text("attention: warning: ", parts...));
}

}  // namespace attn
