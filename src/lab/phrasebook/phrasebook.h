// The task `phrasebook`: French to English, from a grammar of about 600 French and 440 English
// words (grammar.h). What attention needs for it is more than positions: word order (la maison
// bleue, the blue house), agreement over a distance (the girl whom the kings know sings), "his" or
// "her" after an owner, and words whose meaning only the sentence tells (le livre, la livre).
//
// The test asks for known words in new combinations. A combination is a pair: an adjective said of
// a noun, an object of a verb, a month with a place. Of all pairs, two in twenty belong to the
// test, by a hash of their words, and one to validation. Then a sentence belongs
//
//   to training      if it has no pair of the test's nor of validation's
//   to validation    if it has one of validation's and none of the test's
//   to the test      if it has one of the test's and none of validation's
//   to longer        if it has pairs of training alone, but 15 to 24 French words
//
// and to nothing otherwise; in the first three it has at most 14 words of each language. So no two
// words of a test pair are ever together in training in that way, whatever the seed, but each of
// them often is, with others. Words with two meanings make no verb–object pairs, and adjectives
// with two no pairs at all: it is such a pair that tells which of the two is meant, and nothing
// else could.
//
// In validation, the test and longer no meaning of a word comes more often than its others, give or
// take one. Every second sentence of validation and of the test has such a word.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "lab/phrasebook/grammar.h"
#include "tasks/task.h"

namespace attn {

namespace phrasebook {

constexpr std::size_t kLongestTraining = 14, kLongest = 24;  // words

Split split_of_pair(const std::string& pair);
// Nothing if it belongs nowhere.
std::optional<Split> split_of(const Sentence& sentence);

// Sentence `index` of a seed: a function of the two.
Sentence training_sentence(std::uint64_t seed, std::uint64_t index);

// The sentences of a split that models are judged by; no two are equal. Validation: 1000, test:
// 1000, the first about Jane in Africa, longer: 200, its lengths 15, … 24, 15, … in turn.
const std::vector<Sentence>& held_out_sentences(Split split);

}  // namespace phrasebook

Task phrasebook_task();

}  // namespace attn
