// The vocabulary: the tokens and the id of each. Ids 0, 1 and 2 are the special tokens
// <unk>, <bos> and <eos>; words follow.
//
// A special token is not a word: "<eos>" in a text is an unknown word, like any other that the
// vocabulary lacks, so no text can end a sentence early.
//
// The words may also be the characters of a line, white space among them (--tokenizer char).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/real.h"

namespace attn {

constexpr int kUnknown = 0;  // <unk>  a word that is not in the vocabulary
constexpr int kBos = 1;      // <bos>  what the decoder reads before the first target word
constexpr int kEos = 2;      // <eos>  ends every sentence
constexpr int kSpecialTokens = 3;

// What a line is cut into.
enum class Units { words, characters, byte_pairs };
// How often each word, character or piece occurs: what a tokenizer of that kind is learned from.
using UnitCounts = std::unordered_map<std::string, std::int64_t>;

// The mark at the end of a piece of byte pairs (text/bpe.h): no UTF-8 holds this byte.
constexpr char kPieceEnd = '\xFF';
// A token that may hold any character as text without white space, and in tokenizer.txt: \_ \\ \s
// \xHH are an underscore, a backslash, a space and a control character; _ is the mark.
std::string written_token(std::string_view token);

class Vocabulary {
 public:
  // The special tokens alone, of a vocabulary of words or characters.
  explicit Vocabulary(Units units = Units::words);
  // The words get ids 3, 4, …. Throws Error as add() does.
  explicit Vocabulary(const std::vector<std::string>& words);

  // Gives a word the next id. Throws Error, with `where` in front, if it is empty, special or
  // already there, or if it holds white space, NUL or anything but UTF-8; or, among characters, if
  // it is not one, or ends a line.
  void add(std::string_view word, std::string_view where);

  Units units() const { return units_; }
  int size() const { return static_cast<int>(tokens_.size()); }
  // A word as it is, a character as written_token(). Throws Error if there is no such id.
  std::string token(int id) const;
  // kUnknown if the word is not there, or a special token.
  int id(std::string_view word) const;

  // The words or the characters of a line, which are parts of it.
  std::vector<std::string_view> cut(std::string_view line) const;
  // The ids of a line's words. No <bos> or <eos> is added.
  std::vector<int> encode(std::string_view line) const;
  // The tokens with a space between them, <bos> and <eos> left out. <unk> is written: a word the
  // model could not name is still a word. Characters follow one another, and <unk> is U+FFFD.
  // Throws Error if there is no such id.
  std::string decode(const std::vector<int>& ids) const;

 private:
  Units units_;
  std::vector<std::string> tokens_;           // by id
  std::unordered_map<std::string, int> ids_;  // of words; special tokens are not in it
};

// The most frequent first, equally frequent ones in the order of their bytes.
std::vector<std::string> by_frequency(const UnitCounts& counts);
// The most frequent words, by_frequency: at most maximum_size tokens, the special ones included.
// Throws Error if that leaves no room for a word.
Vocabulary most_frequent_words(const UnitCounts& counts, Index maximum_size,
                               Units units = Units::words);

}  // namespace attn
