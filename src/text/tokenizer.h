// What turns a line into ids and back: a vocabulary of words or characters, or byte pairs. In a
// file, tokenizer.txt:
//
//     attention-tokenizer 1 bpe    or words, or char
//     9000                         the number of tokens
//     <unk>                        the tokens by id, one per line; of characters and byte pairs
//     …                            as written_token() writes them
//     t h                          the merges of byte pairs in their order: left, a space, right
//     …
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "text/bpe.h"
#include "text/vocabulary.h"

namespace attn {

class Tokenizer {
 public:
  Tokenizer() = default;  // the special tokens alone
  Tokenizer(Vocabulary words) : units_(std::move(words)) {}
  Tokenizer(BytePairs pairs) : units_(std::move(pairs)) {}

  int size() const;
  // As in the file. Throws Error if there is no such id.
  std::string token(int id) const;
  // Without <bos> and <eos>.
  std::vector<int> encode(std::string_view line) const;
  std::string decode(const std::vector<int>& ids) const;

  // The words or characters of a line that would be <unk>, which are parts of it. Byte pairs know
  // every word.
  std::vector<std::string_view> unknown_words(std::string_view line) const;

  // Whether a word may have no tokens of its own, so that a model has to write <unk>.
  bool writes_unknown() const { return words() != nullptr; }

  // Null if it is of the other kind.
  const Vocabulary* words() const { return std::get_if<Vocabulary>(&units_); }
  const BytePairs* byte_pairs() const { return std::get_if<BytePairs>(&units_); }

  // The file, and back. Reading refuses whatever writing would have written differently, so a file
  // that was cut or edited by accident is noticed: Error names `where` (the file), the line and
  // what is wrong.
  std::string text() const;
  static Tokenizer parse(std::string_view contents, std::string_view where);

 private:
  std::variant<Vocabulary, BytePairs> units_;
};

// Counts the words, characters or pieces of a line.
void count_units(Units units, std::string_view line, UnitCounts& counts);
// Of at most `size` tokens. Throws Error if that is too few.
Tokenizer learn_tokenizer(Units units, const UnitCounts& counts, Index size);

// A line as people type it, in the spelling that the tokenizer knows: ’ (U+2019, what phones type)
// as ', unless it knows ’; and of a vocabulary of words, a word that it knows with other capitals
// only as that word: jane as Jane. Words that are known are left alone.
std::string as_known(const Tokenizer& tokenizer, std::string_view line);

}  // namespace attn
