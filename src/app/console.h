// Writing to the two streams: data to standard output, everything said about it to standard error;
// and numbers as people read them.
#pragma once

#include <string>
#include <string_view>

#include "base/real.h"

namespace attn::app {

// To standard output. Throws Error if it cannot be written (a full disk, a pipe nobody reads).
void put(std::string_view data);
// Sends what was put on its way. Throws likewise; main() calls it at the end.
void flush_output();

// A line to standard error. Control characters, which names in a file may have, are written as JSON
// has them, \u001b, so that they do nothing to a terminal.
void say(std::string_view message);

// How many columns of a terminal a UTF-8 text takes, if each character takes one.
std::size_t display_width(std::string_view text);
// The text with spaces after it, `width` columns in all.
std::string padded(std::string_view text, std::size_t width);
// The same with the spaces before it.
std::string right_aligned(std::string_view text, std::size_t width);

// The words of a paragraph in lines of at most so many columns, where words allow that. The first
// line continues one of which `column` columns are taken; the others are indented.
std::string wrapped(std::string_view paragraph, std::size_t column, std::size_t indent,
                    std::size_t columns);

// "1,234,567"
std::string grouped(Index number);
// A number with so many digits after the point.
std::string fixed(double number, int digits);
// "98.7 %" of count in total, and never "100.0 %" unless it is all of them.
std::string percent(Index count, Index total);
// "0:42", "12:05", "3:12:45"
std::string clock_time(double seconds);
// "0.8 s", "42 s", "12 min 5 s", "3 h 12 min"
std::string duration(double seconds);
// A word that a POSIX shell reads as this text.
std::string shell_word(const std::string& word);

}  // namespace attn::app
