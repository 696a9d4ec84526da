// Byte pairs (Sennrich et al. 2016; §5.1): units between characters and words. Beginning with the
// characters of all words, the two neighbouring symbols that are most frequent side by side are
// merged into one, again and again; a new word is then cut into the symbols that its characters
// merge into, in the order in which the merges were learned. Frequent words end up whole, rare
// ones in parts, and no word is unknown.
//
// A line is first cut into pieces, and no merge crosses the end of one. A piece's last character
// carries a mark, written _, so that "on" at the end of a word is a different symbol from "on"
// inside one. A character that is not in the vocabulary is spelt as the bytes of its UTF-8, so
// every line can be written and comes back as it was.
//
// bpe_learn.cpp learns, bpe.cpp cuts lines and puts them together again.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/real.h"
#include "text/vocabulary.h"

namespace attn {

// A line of UTF-8 cut into words and what is between them, as the authors' own code does it
// (tensor2tensor's tokenizer): runs of letters and digits, and runs of everything else. A single
// space between two words is left out, since two words in a row can only have been separated by
// one:
//
//     Jane visite l'Afrique.  →  Jane  visite  l  '  Afrique  .
std::vector<std::string_view> pieces(std::string_view line);

class BytePairs {
 public:
  // Ids: the special tokens, the 256 bytes, the mark alone, characters, and then what is merged.
  static constexpr int kFirstByte = 3;
  static constexpr int kMark = kFirstByte + 256;
  static constexpr int kFirstCharacter = kMark + 1;

  // Learns at most `size` tokens from pieces. The most frequent characters get at most half of the
  // room; then pairs are merged, the most frequent first, as long as one occurs twice. Of equally
  // frequent pairs, the one with the lowest left id comes first, then the lowest right id. Throws
  // Error if the size leaves no room for a character.
  static BytePairs learn(const UnitCounts& counts, Index size);

  BytePairs();  // the special tokens, the bytes and the mark
  // Adds a token that there is not yet, and returns its id: characters, which the mark may end.
  int add(std::string token);
  // Adds a merge of two tokens, and returns the id of what it makes, which is added if it is new.
  int add_merge(int left, int right);

  int size() const { return static_cast<int>(tokens_.size()); }
  // As written_token() writes it: "visit", "e_", "\xC3". Throws Error if there is no such id.
  std::string token(int id) const;
  // −1 if it is no mark, character or merged token.
  int id(std::string_view token) const;
  // Left and right ids, in the order in which they were learned.
  const std::vector<std::pair<int, int>>& merges() const { return merges_; }

  // Without <bos> and <eos>.
  std::vector<int> encode(std::string_view line) const;
  // The line. Special tokens are left out, except <unk>, which no line is encoded with; bytes that
  // are not UTF-8, NULs and newlines, which only a model writes, become U+FFFD.
  std::string decode(const std::vector<int>& ids) const;

 private:
  class MergedCorpus;  // in bpe_learn.cpp

  const std::string& symbol(int id) const;  // throws Error if there is no such id
  std::vector<int> spell(std::string_view piece) const;
  bool merge_once(std::vector<int>& symbols) const;

  struct Merge {
    int rank, result;
  };
  static std::uint64_t pair_key(int left, int right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
  }

  std::vector<std::string> tokens_;           // by id; a mark is the byte kPieceEnd
  std::unordered_map<std::string, int> ids_;  // of the mark, characters and merged symbols
  std::vector<std::pair<int, int>> merges_;
  std::unordered_map<std::uint64_t, Merge> ranks_;  // by pair_key
};

}  // namespace attn
