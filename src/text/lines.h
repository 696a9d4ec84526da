// Text files as lines, and lines as words.
//
// A line ends at '\n' and nowhere else, so that line n here is line n for `sed` and for whoever
// made a parallel corpus (U+2028 and a form feed end no line). Words are separated by ASCII white
// space; a no-break space is part of a word.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace attn {

// Whether a byte is ASCII white space: space, \t, \n, \v, \f or \r, whatever the locale.
bool is_space(char byte);

// The words of a line, which are views of it.
std::vector<std::string_view> words(std::string_view line);

// The parts between separators: one more than there are separators, some perhaps empty.
std::vector<std::string> split(std::string_view text, char separator);

// A line as it was read up to '\n', without the '\r' that Windows puts there. Throws Error, naming
// `where`, the line and the byte (both from 1), if it is not UTF-8 or holds a NUL.
std::string_view checked_line(std::string_view line, std::string_view where, std::int64_t number);

// All lines of a text, each checked. Without a newline at the end, the last line still counts. A
// byte order mark at the beginning is left out.
std::vector<std::string> parse_lines(std::string_view contents, std::string_view where);

// The same for a file. Throws Error if it cannot be read.
std::vector<std::string> read_lines(const std::string& path);

}  // namespace attn
