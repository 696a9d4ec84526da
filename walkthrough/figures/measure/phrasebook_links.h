// What words of the phrasebook's sentences are to each other.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "text/corpus.h"

namespace attn {

using Words = std::vector<std::string>;

// Whether the word is there.
bool has(const Words& words, const std::string& word);

// A noun of two genders in a French sentence, and its English: le livre, book; la livre, pound.
struct Gendered {
  std::size_t at;
  std::string noun, right;
  std::set<std::string> wrong;  // its other meanings
};
// Those whose meaning the English sentence shows.
std::vector<Gendered> gendered_nouns(const Words& source, const Words& target);

// A word that looks, and one that it might look at.
struct Link {
  std::string relation;
  std::size_t row, column;
};
// Agreement in the French sentence: articles, adjectives, verbs and their nouns.
std::vector<Link> encoder_links(const Words& source);
// From an English adjective and its noun, and from a verb or its "does", when they are written, to
// the French ones.
std::vector<Link> cross_links(const Words& source, const Words& target);
// Every row to its neighbours, if words look among themselves, and to the first and the last token.
std::vector<Link> positions(std::size_t rows, std::size_t columns, bool self);

// What comes out right of the things that some head might be for.
struct Right {
  Index all = 0, right = 0, wrong = 0;

  void add(bool is_right, bool is_wrong) {
    ++all;
    right += is_right;
    wrong += is_wrong;
  }
};

struct Kept {
  Right genders;  // nouns of two genders: their meaning, or another one
  Right orders;   // a noun and the adjective after it: before it, or after it again
  Right numbers;  // do and does: the right one, or the other one
};
// Adds what of the sentence the output got right.
void count_kept(const TextPair& pair, const Words& output, Kept& kept);

}  // namespace attn
