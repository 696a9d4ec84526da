// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF. Text from
// a file or a user is checked once, where it is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>
#include <vector>

namespace attn {

// Bytes, 1 to 4, of the well-formed character that the text begins with; 0 if there is none.
std::size_t utf8_character(std::string_view text);

// The first character; one byte if the text, which may not be empty, does not begin with one.
std::string_view first_character(std::string_view text);

// The code point of a character; of a byte that begins none, the byte.
std::uint32_t code_point(std::string_view character);

// Code points from the first to the last.
struct CodePoints {
  std::uint32_t first, last;
};
// Whether the code point is in one of the ranges, which ascend.
template <std::size_t count>
bool is_in(std::uint32_t code, const CodePoints (&ranges)[count]) {
  return std::any_of(std::begin(ranges), std::end(ranges), [&](const CodePoints& range) {
    return range.first <= code && code <= range.last;
  });
}

// The characters of a text, which are parts of it.
std::vector<std::string_view> characters(std::string_view text);

// Where the first ill-formed sequence begins, in bytes from 0; text.size() if there is none. (A
// sequence that is cut short begins at its first byte, as in Python's UnicodeDecodeError.start.)
std::size_t first_invalid_utf8(std::string_view text);

}  // namespace attn
