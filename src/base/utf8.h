// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF. Text from
// a file or a user is checked once, where it is read.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace attn {

// The number of bytes, 1 to 4, of the well-formed character that the text begins with; 0 if it
// begins with none.
std::size_t utf8_character(std::string_view text);

// The first character; one byte if the text, which may not be empty, does not begin with one.
std::string_view first_character(std::string_view text);

// The characters of a text, which are parts of it.
std::vector<std::string_view> characters(std::string_view text);

// Where the first ill-formed sequence begins, in bytes from 0; text.size() if there is none. (A
// sequence that is cut short begins at its first byte, as in Python's UnicodeDecodeError.start.)
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace attn
