// Writing to the two streams: data to standard output, everything said about it to standard error.
#pragma once

#include <string_view>

#include "base/format.h"

namespace attn::app {

// To standard output. Throws Error if it cannot be written (a full disk, a pipe nobody reads).
void put(std::string_view data);
// Flushes standard output. Throws likewise; main() calls it at the end.
void flush_output();

// A line to standard error. Control characters, which names in a file may contain, are written as
// in JSON, \u001b, so that they do nothing to a terminal.
void say(std::string_view message);

}  // namespace attn::app
