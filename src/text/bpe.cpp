// A line is spelt in characters, which are merged as learning merged them; backward, the text of
// all symbols is cut where the marks are.
#include "text/bpe.h"

#include <functional>
#include <queue>

#include "base/check.h"
#include "base/format.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/pieces.h"
#include "text/symbol_rows.h"

namespace attn {

BytePairs::BytePairs() : tokens_{"<unk>", "<bos>", "<eos>"} {
  static_assert(kFirstByte == kSpecialTokens, "bytes follow the special tokens");
  for (int byte = 0; byte < 256; ++byte) tokens_.emplace_back(1, static_cast<char>(byte));
  add(std::string(1, kPieceEnd));
}

int BytePairs::add(std::string token) {
  const int id = size();
  ids_.emplace(token, id);
  tokens_.push_back(std::move(token));
  return id;
}

int BytePairs::add_merge(int left, int right) {
  const std::string merged = symbol(left) + symbol(right);
  // Other symbols may have made the same text already.
  const int known = id(merged), result = known >= 0 ? known : add(merged);
  ranks_[pair_key(left, right)] = {static_cast<int>(merges_.size()), result};
  merges_.emplace_back(left, right);
  return result;
}

const std::string& BytePairs::symbol(int id) const {
  ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, "; the vocabulary has ", size());
  return tokens_[static_cast<std::size_t>(id)];
}

std::string BytePairs::token(int id) const {
  const std::string& token = symbol(id);
  if (id < kFirstByte) return token;
  return id < kMark ? "\\x" + hexadecimal(token[0]) : written_token(token);
}

int BytePairs::id(std::string_view token) const {
  const auto found = ids_.find(std::string(token));
  return found == ids_.end() ? -1 : found->second;
}

// The symbols that a piece begins with: its characters, the last one marked; bytes for those that
// are not in the vocabulary.
std::vector<int> BytePairs::spell(std::string_view piece) const {
  std::vector<int> ids;
  while (!piece.empty()) {
    const std::string character(first_character(piece));
    piece.remove_prefix(character.size());
    const int marked = piece.empty() ? id(character + kPieceEnd) : -1;
    const int plain = id(character);
    if (marked >= 0) {
      ids.push_back(marked);
      return ids;
    }
    if (plain >= 0) {
      ids.push_back(plain);
      continue;
    }
    for (const char byte : character) ids.push_back(kFirstByte + static_cast<unsigned char>(byte));
  }
  ids.push_back(kMark);
  return ids;
}

std::vector<int> BytePairs::encode(std::string_view line) const {
  // Which merges apply where, or did before another took one of the two symbols: rank and place.
  using Step = std::pair<int, SymbolRows::Place>;
  std::priority_queue<Step, std::vector<Step>, std::greater<>> steps;
  std::vector<int> ids;
  for (const std::string_view piece : pieces(line)) {
    SymbolRows row;
    row.add_row(spell(piece));
    const auto note = [&](SymbolRows::Place place) {
      const auto pair = row.pair_at(place);
      const auto found = pair ? ranks_.find(pair_key(pair->first, pair->second)) : ranks_.end();
      if (found != ranks_.end()) steps.emplace(found->second.rank, place);
    };
    for (SymbolRows::Place place = 0; place < row.size(); ++place) note(place);
    while (!steps.empty()) {
      // The merge that was learned first, wherever it applies, from left to right.
      const int rank = steps.top().first;
      std::vector<SymbolRows::Place> places;
      for (; !steps.empty() && steps.top().first == rank; steps.pop()) {
        places.push_back(steps.top().second);
      }
      const auto& [left, right] = merges_[static_cast<std::size_t>(rank)];
      const int result = ranks_.at(pair_key(left, right)).result;
      for (const SymbolRows::Place place : places) {
        if (row.pair_at(place) != std::pair(left, right)) continue;
        row.merge(place, result);
        note(row.previous(place));
        note(place);
      }
    }
    const std::vector<int> symbols = row.symbols();
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
