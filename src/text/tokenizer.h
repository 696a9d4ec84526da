// What turns a line into ids and back: a vocabulary of words, of characters, or of byte pairs (what
// those are, text/bpe.cpp says). In a file, tokenizer.txt:
//
//     attention-tokenizer 1 bpe    or words, or char
//     9000                         the number of tokens
//     <unk>                        the tokens by id, one per line; of characters and byte pairs
//     …                            as written_token() writes them
//     t h                          the merges of byte pairs in their order: left, a space, right
//     …
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/real.h"
#include "text/vocabulary.h"

namespace attn {

class Tokenizer {
 public:
  // Byte pairs have the 256 bytes, the mark alone, characters, and then what is merged.
  static constexpr int kFirstByte = kSpecialTokens;
  static constexpr int kMark = kFirstByte + 256;
  static constexpr int kFirstCharacter = kMark + 1;

  // The special tokens alone; of byte pairs, the bytes and the mark as well.
  Tokenizer(Units units = Units::words);
  // These words get ids 3, 4, …. Throws Error as add() does.
  explicit Tokenizer(const std::vector<std::string>& words);
  // Learns at most `size` tokens from pieces: the most frequent characters, up to half of the room,
  // then merges of pairs, the most frequent first, as long as one occurs twice; ties go to the
  // lowest left id, then right id. Throws Error if the size leaves no room for a character.
  static Tokenizer learn_byte_pairs(const UnitCounts& counts, Index size);

  // Gives a word or character the next id. Throws Error, with `where` in front, if it is empty,
  // special or already there, or if it holds white space, NUL or anything but UTF-8; or, among
  // characters, if it is not one, or ends a line.
  void add(std::string_view word, std::string_view where);
  // Adds a new token of byte pairs, characters that the mark may end, and returns its id.
  int add_symbol(std::string token);
  // Adds a merge of two tokens, and returns the id of what it makes, which is added if it is new.
  int add_merge(int left, int right);

  Units units() const { return units_; }
  int size() const { return static_cast<int>(tokens_.size()); }
  // As in the file: "visit", "e_", "\xC3". Throws Error if there is no such id.
  std::string token(int id) const;
  // Of a word, a character, or a mark or merged token; kUnknown if it is not there, or special.
  int id(std::string_view token) const;
  // Left and right ids, in the order in which they were learned.
  const std::vector<std::pair<int, int>>& merges() const { return merges_; }

  // The ids of a line's units. No <bos> or <eos> is added.
  std::vector<int> encode(std::string_view line) const;
  // The line, without <bos> and <eos>. <unk> is written, since a word the model could not name is
  // still a word; among characters it is U+FFFD, as are bytes that are not UTF-8, NULs and
  // newlines, which only a model writes. Throws Error if there is no such id.
  std::string decode(const std::vector<int>& ids) const;

  // Views of the words or characters of a line that would be <unk>; byte pairs know every word.
  std::vector<std::string_view> unknown_words(std::string_view line) const;
  // Whether a word may have no tokens of its own, so that a model has to write <unk>.
  bool writes_unknown() const { return units_ != Units::byte_pairs; }

  // The file, and back. Reading refuses what writing would have written differently, as in a
  // damaged file: Error names `where` (the file), the line and what is wrong.
  std::string text() const;
  static Tokenizer parse(std::string_view contents, std::string_view where);

 private:
  class MergedCorpus;  // in bpe_learn.cpp
  struct Merge {
    int rank, result;
  };
  static std::uint64_t pair_key(int left, int right) {
    return static_cast<std::uint64_t>(left) << 32 | static_cast<std::uint32_t>(right);
  }
  const std::string& symbol(int id) const;  // throws Error if there is no such id
  // In bpe.cpp.
  std::vector<int> spell(std::string_view piece) const;
  bool merge_once(std::vector<int>& symbols) const;
  std::string join(const std::vector<int>& ids) const;

  Units units_;
  std::vector<std::string> tokens_;           // by id; a mark is the byte kPieceEnd
  std::unordered_map<std::string, int> ids_;  // without special tokens and bytes
  std::vector<std::pair<int, int>> merges_;
  std::unordered_map<std::uint64_t, Merge> ranks_;      // by pair_key
  int first_merged_ = std::numeric_limits<int>::max();  // the first symbol that a merge made
};

// The mark at the end of a piece of byte pairs: no UTF-8 holds this byte.
constexpr char kPieceEnd = '\xFF';
// A token that may hold any character as text without white space, and in tokenizer.txt: \_ \\ \s
// \xHH are an underscore, a backslash, a space and a control character; _ is the mark.
std::string written_token(std::string_view token);

// A line of UTF-8 cut as the authors' own code does it (tensor2tensor's tokenizer): into runs of
// letters and digits, and of everything else. A single space between two words is implied:
//     Jane visite l'Afrique.  →  Jane  visite  l  '  Afrique  .
std::vector<std::string_view> pieces(std::string_view line);

// Counts the words, characters or pieces of a line.
void count_units(Units units, std::string_view line, UnitCounts& counts);
// The most frequent first, equally frequent ones in the order of their bytes.
std::vector<std::string> by_frequency(const UnitCounts& counts);
// The most frequent words or characters, by_frequency: at most `size` tokens, the special ones
// included. Throws Error if that leaves no room for a word.
Tokenizer most_frequent_words(const UnitCounts& counts, Index size, Units units = Units::words);
// A tokenizer of any kind, of at most `size` tokens. Throws Error if that is too few.
Tokenizer learn_tokenizer(Units units, const UnitCounts& counts, Index size);

// A typed line in the tokenizer's spelling: ’ (U+2019, what phones type) as ', unless it knows ’;
// and in a vocabulary of words, a word known with other capitals only as that word: jane as Jane.
std::string as_known(const Tokenizer& tokenizer, std::string_view line);

}  // namespace attn
