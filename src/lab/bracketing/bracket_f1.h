// Labelled bracket scores of parse trees (Black et al. 1991), which §6.3 reports as F1.
//
// A tree is a line of words, as Vinyals et al. (2015) write it: "(NP" opens a constituent, ")NP"
// closes it, and every other word is a leaf,
//
//     (S (NP XX XX )NP (VP XX )VP )S
//
// A bracket is a constituent's label, first leaf and end. With the brackets of both trees,
//
//     precision = matched/hypothesis's   recall = matched/reference's   F1 = 2 p r/(p + r)
//
// counted over a corpus. ROOT and TOP are not counted, as in the program evalb; unlike there,
// punctuation is, which leaves do not show.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/real.h"

namespace attn {

struct Bracket {
  std::string label;
  Index begin = 0, end = 0;  // leaves begin to end − 1

  bool operator<(const Bracket& other) const;
};

// Nothing if the line is not one tree: if a bracket is closed by another label or never, if there
// is a constituent without leaves, or anything beside the outermost constituent.
std::optional<std::vector<Bracket>> brackets_of(const std::string& tree);

// For one tree, or added up over many. What is not a tree has no brackets that could match, but the
// reference's are missed all the same.
struct BracketCounts {
  Index matched = 0, hypothesis = 0, reference = 0;
  Index trees = 0, well_formed = 0;  // of the hypotheses

  BracketCounts& operator+=(const BracketCounts& other);
};
// Throws Error if the reference is not a tree.
BracketCounts bracket_counts(const std::string& hypothesis, const std::string& reference);

struct BracketScores {
  double precision = 0, recall = 0, f1 = 0;  // 0 to 1; 0 where there is nothing to count
};
BracketScores bracket_scores(const BracketCounts& counts);

}  // namespace attn
