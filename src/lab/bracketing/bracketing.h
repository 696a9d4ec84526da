// The task `bracketing`: constituency parsing (§6.3) in miniature. A sentence of a toy grammar
// becomes its tree, written as Vinyals et al. (2015) write trees, the leaves all the same word:
//
//     the dog that the cat sees sleeps
//     (S (NP XX XX (SBAR XX (NP XX XX )NP XX )SBAR )NP (VP XX )VP )S
//
//     S    → NP VP
//     NP   → D (A) N  |  D (A) N PP_of  |  D (A) N SBAR
//     SBAR → that VP  |  that NP V_t                  (after a noun: who sees, whom it sees)
//     VP   → V_0  |  V_t NP  |  V_t NP PP_with  |  V_s SBAR_S
//     SBAR_S → that S                                 (after a verb such as "thinks")
//     PP   → of NP  |  with NP
//
// A sentence has one tree: "of …" and "that …" belong to the last noun, "with …" to the last verb.
// To make sure of that, a noun takes at most one of the two, and an object before "with …" neither.
//
// The depth of a tree is the number of PP and SBAR nested inside one another. Training has depths 0
// to 2, "longer" 3 and 4: a model that has understood the grammar parses those too.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace attn {

namespace bracketing {

constexpr int kDeepestTraining = 2, kDeepest = 4;
constexpr std::size_t kLongestTraining = 16, kLongest = 28;  // words

struct ParsedSentence {
  std::string words, tree;
  int depth = 0;
};

// Sentence `attempt` of those that an example may be, of exactly this depth: a function of the
// numbers.
ParsedSentence draw_sentence(int depth, std::uint64_t example, std::uint64_t attempt);

// Of depths up to kDeepestTraining, by a hash of the words: 18 in 20 training, one validation, one
// test. Deeper ones are longer.
Split split_of(const ParsedSentence& sentence);

// Sentence `index` of a seed: a function of the two. Depths 0, 1 and 2 come once, twice and three
// times in six.
ParsedSentence training_sentence(std::uint64_t seed, std::uint64_t index);

// No two are equal. Validation: 1000, test: 1000, depths 0, 1, 2, 0, … in turn. Longer: 200, depths
// 3, 4, 3, … in turn.
std::vector<ParsedSentence> held_out_sentences(Split split);

}  // namespace bracketing

Task bracketing_task();

}  // namespace attn
