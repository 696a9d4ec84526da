// The grammar of RFC 3629, section 4.
#include "base/utf8.h"

#include <algorithm>

namespace attn {

std::size_t utf8_character(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  // 80 to BF continue a sequence, C0 and C1 could only begin an overlong one.
  if (first < 0xC2 || first > 0xF4) return 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (text.size() < length) return 0;

  // The second byte decides about the rest: overlong forms of three and four bytes (below A0, 90),
  // surrogates (above 9F) and code points above U+10FFFF (above 8F).
  const unsigned lowest = first == 0xE0 ? 0xA0 : first == 0xF0 ? 0x90 : 0x80;
  const unsigned highest = first == 0xED ? 0x9F : first == 0xF4 ? 0x8F : 0xBF;
  if (byte(1) < lowest || byte(1) > highest) return 0;
  for (std::size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  return length;
}

std::string_view first_character(std::string_view text) {
  return text.substr(0, std::max<std::size_t>(utf8_character(text), 1));
}

std::uint32_t code_point(std::string_view character) {
  const auto bits = [&](std::size_t i) {
    return static_cast<std::uint32_t>(static_cast<unsigned char>(character[i]));
  };
  if (character.size() == 1) return bits(0);
  std::uint32_t code = bits(0) & (0x7Fu >> character.size());
  for (std::size_t i = 1; i < character.size(); ++i) code = code << 6 | (bits(i) & 0x3F);
  return code;
}

std::vector<std::string_view> characters(std::string_view text) {
  std::vector<std::string_view> result;
  for (; !text.empty(); text.remove_prefix(result.back().size())) {
    result.push_back(first_character(text));
  }
  return result;
}

std::size_t first_invalid_utf8(std::string_view text) {
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t length = utf8_character(text.substr(position));
    if (length == 0) break;
    position += length;
  }
  return position;
}

}  // namespace attn
