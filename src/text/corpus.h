// Parallel text: two files; line n of one is the translation of line n of the other.
#pragma once

#include <string>
#include <vector>

#include "base/real.h"
#include "model/sequence_model.h"
#include "tensor/packed.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace attn {

struct TextPair {
  std::string source;
  std::string target;
};

struct SentencePair {
  std::vector<int> source;  // x1 … xn <eos>
  std::vector<int> target;  // <bos> y1 … ym <eos>

  // What the encoder reads, and what the decoder reads: the target without its <eos>.
  Index source_tokens() const { return source.size(); }
  Index target_tokens() const { return target.size() - 1; }
};

// A file's lines. Throws Error as read_lines does, if it is empty, or one line with '\r' inside.
std::vector<std::string> read_text(const std::string& path, std::size_t longest = kLongestLine);

// One pair per line of the files. Throws Error if a file cannot be read, is empty, is not UTF-8 or
// holds a NUL, or if one has more lines than the other.
std::vector<TextPair> read_parallel_text(const std::string& source_path,
                                         const std::string& target_path);

// Throws Error, which names both files, unless they have as many lines.
void check_same_lines(const std::string& source_path, std::size_t sources,
                      const std::string& target_path, std::size_t targets);

// One pair per line of a file: its first two tab-separated columns; an empty line is an empty pair.
// swapped: the first is the target. Throws Error as read_parallel_text does, and for a missing tab.
std::vector<TextPair> read_pairs(const std::string& path, bool swapped);

// Ids as the encoder reads them, and as the decoder reads and predicts them.
std::vector<int> encode_source(const Tokenizer& tokenizer, std::string_view line);
std::vector<int> encode_target(const Tokenizer& tokenizer, std::string_view line);
SentencePair encode_pair(const Tokenizer& tokenizer, const TextPair& line);

// Plain text: the tokens of the lines, <eos> after each, the end of the line. Of a text that is
// read by itself, with an <eos> before it as well, which marks the start of its first line.
std::vector<int> text_stream(const Tokenizer& tokenizer, const std::vector<std::string>& lines);
std::vector<int> whole_text(const Tokenizer& tokenizer, const std::string& text);

// How many lines have characters that look like others and are other tokens: accents that are
// characters of their own, and spaces that do not break, U+00A0 and U+202F.
struct LookAlikes {
  Index accents = 0, no_break = 0, narrow_no_break = 0;

  void add(std::string_view line);
};
// "; other tokens than they look: 3 with U+00A0 for a space", or empty.
std::string look_alikes_text(const LookAlikes& lines);

// The most tokens of a side.
Index longest_sentence_of(const std::vector<SentencePair>& pairs);

struct LeftOut {
  Index empty = 0;     // a side has no words
  Index too_long = 0;  // a side has too many
  Index uneven = 0;    // one side is more than kMostUneven times as long as the other
  Index repeated = 0;  // both sides are those of an earlier pair
};
// For the user: "2 too long, 1 repeated". Empty if nothing was.
std::string left_out_text(const LeftOut& left_out);

struct Corpus {
  std::vector<SentencePair> pairs;
  std::vector<std::size_t> lines;  // by pair: where it was among the lines, from 0
  LeftOut left_out;
};

// Sides that differ more are hardly translations of each other.
constexpr Index kMostUneven = 9;

// The longest sentence, in tokens: the memory for attention grows with the square of the length.
constexpr Index kLongestSentence = 4096;

// Throws Error, which begins with `where`, if a sentence of `tokens` tokens, its <eos> or <bos>
// among them, is longer than the model can read.
void check_length(const SequenceModel& model, Index tokens, const std::string& where);

// The pairs as ids, in order, without those left out: a side may have max_length tokens, one <eos>
// or <bos> among them. Throws Error, beginning with `where`, if no pair is left.
Corpus encode_corpus(const std::vector<TextPair>& lines, const Tokenizer& tokenizer,
                     Index max_length = kAnyLength, const std::string& where = "");

}  // namespace attn
