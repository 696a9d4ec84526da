// A line is spelt in characters, which are merged as learning merged them; backward, the text of
// all symbols is cut where the marks are.
#include "text/bpe.h"

#include "base/check.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/pieces.h"

namespace attn {

BytePairs::BytePairs() {
  tokens_ = {"<unk>", "<bos>", "<eos>"};
  static_assert(kFirstByte == kSpecialTokens, "bytes follow the special tokens");
  for (int byte = 0; byte < 256; ++byte) tokens_.emplace_back(1, static_cast<char>(byte));
  add(std::string(1, kEnd));
}

int BytePairs::add(std::string symbol) {
  const int id = size();
  ids_.emplace(symbol, id);
  tokens_.push_back(std::move(symbol));
  return id;
}

const std::string& BytePairs::symbol(int id) const {
  ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, "; the vocabulary has ", size());
  return tokens_[static_cast<std::size_t>(id)];
}

int BytePairs::id_of(std::string_view symbol) const {
  const auto found = ids_.find(std::string(symbol));
  return found == ids_.end() ? -1 : found->second;
}

int BytePairs::add_merge(int left, int right) {
  const std::string merged = symbol(left) + symbol(right);
  // Other symbols may have made the same text already.
  int result = id_of(merged);
  if (result < 0) result = add(merged);
  ranks_[pair_key(left, right)] = {static_cast<int>(merges_.size()), result};
  merges_.emplace_back(left, right);
  return result;
}

void BytePairs::merge_pair(std::vector<int>& symbols, int left, int right, int result) {
  std::size_t end = 0;
  for (std::size_t i = 0; i < symbols.size(); ++i) {
    const bool here = symbols[i] == left && i + 1 < symbols.size() && symbols[i + 1] == right;
    symbols[end++] = here ? result : symbols[i];
    i += here;
  }
  symbols.resize(end);
}

// The symbols that a piece begins with: its characters, the last one marked; bytes for those that
// are not in the vocabulary.
std::vector<int> BytePairs::spell(std::string_view piece) const {
  std::vector<int> ids;
  while (!piece.empty()) {
    const std::string character(first_character(piece));
    piece.remove_prefix(character.size());
    const int marked = piece.empty() ? id_of(character + kEnd) : -1;
    const int plain = id_of(character);
    if (marked >= 0) {
      ids.push_back(marked);
      return ids;
    }
    if (plain >= 0) {
      ids.push_back(plain);
    } else {
      for (const char byte : character) {
        ids.push_back(kFirstByte + static_cast<unsigned char>(byte));
      }
    }
  }
  ids.push_back(kMark);
  return ids;
}

std::vector<int> BytePairs::encode(std::string_view line) const {
  std::vector<int> ids;
  for (const std::string_view piece : pieces(line)) {
    std::vector<int> symbols = spell(piece);
    for (;;) {
      // The merge that was learned first, wherever it applies.
      const Merge* best = nullptr;
      for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
        const auto found = ranks_.find(pair_key(symbols[i], symbols[i + 1]));
        if (found == ranks_.end() || (best != nullptr && found->second.rank >= best->rank))
          continue;
        best = &found->second;
      }
      if (best == nullptr) break;
      const auto& [left, right] = merges_[static_cast<std::size_t>(best->rank)];
      merge_pair(symbols, left, right, best->result);
    }
    ids.insert(ids.end(), symbols.begin(), symbols.end());
  }
  return ids;
}

std::string BytePairs::decode(const std::vector<int>& ids) const {
  std::string marked;
  for (const int id : ids) {
    const std::string& token = symbol(id);
    if (id != kBos && id != kEos) marked += token;
    // The mark's byte is not a mark when it is spelt as a byte, and no line holds a NUL or a
    // newline: what is not UTF-8 is replaced below.
    const char byte = id >= kFirstByte && id < kMark ? token[0] : ' ';
    if (byte == kEnd || byte == '\0' || byte == '\n') marked.back() = '\xFE';
  }

  // Between two words there was a space.
  std::string line;
  bool after_word = false;
  for (const std::string& piece : split(marked, kEnd)) {
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
