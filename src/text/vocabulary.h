// The ids that every vocabulary has, and the units that a line is cut into. A special token is not
// a word: "<eos>" in a text is an unknown word, so no text can end a sentence early.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

namespace attn {

constexpr int kUnknown = 0;  // <unk>  a word that is not in the vocabulary
constexpr int kBos = 1;      // <bos>  what the decoder reads before the first target word
constexpr int kEos = 2;      // <eos>  ends every sentence
constexpr int kSpecialTokens = 3;

// Words, the characters of a line, white space among them (--tokenizer char), or byte pairs.
enum class Units { words, characters, byte_pairs };
// How often each word, character or piece occurs: what a tokenizer of that kind is learned from.
using UnitCounts = std::unordered_map<std::string, std::int64_t>;

}  // namespace attn
