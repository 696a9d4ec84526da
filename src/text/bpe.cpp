// Byte pairs (Sennrich et al. 2016; §5.1): units between characters and words. Beginning with the
// characters of all words, the most frequent pair of neighbouring symbols is merged into one, again
// and again; a new word's characters merge in the order in which the merges were learned. Frequent
// words end up whole, rare ones in parts, and no word is unknown.
//
// A line is first cut into pieces, and no merge crosses the end of one. A piece's last character
// carries a mark, written _, so that "on" at the end of a word is a different symbol from "on"
// inside one. A character that is not in the vocabulary is spelt as the bytes of its UTF-8, so
// every line can be written and comes back as it was.
// bpe_learn.cpp learns; here lines are cut and put together again.
#include <algorithm>

#include "base/check.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace attn {

// Whether a character of UTF-8 belongs to a word: letters, digits, and whatever else is not known
// to be punctuation, a symbol or white space.
static bool is_word_character(std::string_view character) {
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

int Tokenizer::add_symbol(std::string token) {
  const int id = size();
  ids_.emplace(token, id);
  tokens_.push_back(std::move(token));
  return id;
}

int Tokenizer::add_merge(int left, int right) {
  const std::string merged = symbol(left) + symbol(right);
  // Other symbols may have made the same text already.
  const int known = id(merged), result = known != kUnknown ? known : add_symbol(merged);
  first_merged_ = std::min(first_merged_, result);
  ranks_[pair_key(left, right)] = {static_cast<int>(merges_.size()), result};
  merges_.emplace_back(left, right);
  return result;
}

// A piece's first symbols: its characters, the last one marked, or bytes for unknown ones.
std::vector<int> Tokenizer::spell(std::string_view piece) const {
  // A symbol that a merge made is made by that merge, in its turn.
  const auto own = [&](const std::string& character) {
    const int known = id(character);
    return known < first_merged_ ? known : kUnknown;
  };
  std::vector<int> ids;
  while (!piece.empty()) {
    const std::string character(first_character(piece));
    piece.remove_prefix(character.size());
    const int marked = piece.empty() ? own(character + kPieceEnd) : kUnknown;
    const int plain = own(character);
    if (marked != kUnknown) {
      ids.push_back(marked);
      return ids;
    }
    if (plain != kUnknown) {
      ids.push_back(plain);
      continue;
    }
    for (const char byte : character) ids.push_back(kFirstByte + static_cast<unsigned char>(byte));
  }
  ids.push_back(kMark);
  return ids;
}

// Applies the first-learned merge that fits, wherever it fits, left to right; false if none does.
bool Tokenizer::merge_once(std::vector<int>& symbols) const {
  const Merge* first = nullptr;
  for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
    const auto found = ranks_.find(pair_key(symbols[i], symbols[i + 1]));
    if (found == ranks_.end()) continue;
    if (first == nullptr || found->second.rank < first->rank) first = &found->second;
  }
  if (first == nullptr) return false;
  const auto [left, right] = merges_[first->rank];
  std::size_t kept = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const bool pair = i + 1 < symbols.size() && symbols[i] == left && symbols[i + 1] == right;
    symbols[kept++] = pair ? first->result : symbols[i];
    if (pair) ++i;
  }
  symbols.resize(kept);
  return true;
}

std::string Tokenizer::join(const std::vector<int>& ids) const {
  std::string marked;
  for (const int id : ids) {
    const std::string& token = symbol(id);
    if (id != kBos && id != kEos) marked += token;
    // The mark's byte is not a mark when it is spelt as a byte, and no line holds a NUL or a
    // newline: what is not UTF-8 is replaced below.
    const char byte = id >= kFirstByte && id < kMark ? token[0] : ' ';
    if (byte == kPieceEnd || byte == '\0' || byte == '\n') marked.back() = '\xFE';
  }

  // Between two words there was a space.
  std::string line;
  bool after_word = false;
  for (const std::string& piece : split(marked, kPieceEnd)) {
    if (piece.empty()) continue;
    if (after_word && is_word_character(first_character(piece))) line += ' ';
    line += piece;
    std::size_t last = piece.size() - 1;
    while (last > 0 && (static_cast<unsigned char>(piece[last]) & 0xC0) == 0x80) --last;
    after_word = is_word_character(first_character(std::string_view(piece).substr(last)));
  }
  std::string result;
  for (const std::string_view character : characters(line)) {
    result += utf8_character(character) > 0 ? character : "\uFFFD";
  }
  return result;
}

}  // namespace attn
