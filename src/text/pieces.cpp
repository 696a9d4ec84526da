// A character belongs to a word unless a table of ranges of code points says otherwise.
#include "text/pieces.h"

#include "base/utf8.h"

namespace attn {

bool is_word_character(std::string_view character) {
  constexpr CodePoints kOthers[] = {
      {0x00, 0x2F},     {0x3A, 0x40},     {0x5B, 0x60},     {0x7B, 0xA9},      {0xAB, 0xB4},
      {0xB6, 0xB9},     {0xBB, 0xBF},     {0xD7, 0xD7},     {0xF7, 0xF7},      {0x37E, 0x37E},
      {0x55A, 0x55F},   {0x589, 0x58A},   {0x5BE, 0x5BE},   {0x60C, 0x60D},    {0x61B, 0x61F},
      {0x66A, 0x66D},   {0x6D4, 0x6D4},   {0x964, 0x965},   {0xE4F, 0xE4F},    {0x1680, 0x1680},
      {0x2000, 0x206F}, {0x20A0, 0x20CF}, {0x2190, 0x2BFF}, {0x2E00, 0x2E7F},  {0x3000, 0x3004},
      {0x3008, 0x3030}, {0x30FB, 0x30FB}, {0xFE10, 0xFE6F}, {0xFF00, 0xFF0F},  {0xFF1A, 0xFF20},
      {0xFF3B, 0xFF40}, {0xFF5B, 0xFF65}, {0xFFE0, 0xFFFF}, {0x1F000, 0x1FAFF}};
  return !is_in(code_point(character), kOthers);
}

std::vector<std::string_view> pieces(std::string_view line) {
  std::vector<std::string_view> result;
  while (!line.empty()) {
    const bool word = is_word_character(first_character(line));
    std::size_t bytes = 0;
    while (bytes < line.size()) {
      const std::string_view character = first_character(line.substr(bytes));
      if (is_word_character(character) != word) break;
      bytes += character.size();
    }
    // A single space between two words is implied.
    const bool implied = !result.empty() && bytes < line.size() && line.substr(0, bytes) == " ";
    if (!implied) result.push_back(line.substr(0, bytes));
    line.remove_prefix(bytes);
  }
  return result;
}

}  // namespace attn
