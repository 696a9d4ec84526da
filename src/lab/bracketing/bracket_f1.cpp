// Two trees become two sorted lists of brackets; those in both match.
#include "lab/bracketing/bracket_f1.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <tuple>

#include "base/check.h"
#include "base/printing.h"
#include "text/lines.h"

namespace attn {

bool Bracket::operator<(const Bracket& other) const {
  return std::tie(label, begin, end) < std::tie(other.label, other.begin, other.end);
}

std::optional<std::vector<Bracket>> brackets_of(const std::string& tree) {
  std::vector<Bracket> closed, open;
  Index leaves = 0;
  bool ended = false;  // the outermost constituent
  for (const std::string_view word : words(tree)) {
    if (ended) return std::nullopt;
    if (word.size() > 1 && word[0] == '(') {
      open.push_back({std::string(word.substr(1)), leaves, leaves});
    } else if (word.size() > 1 && word[0] == ')') {
      if (open.empty() || open.back().label != word.substr(1)) return std::nullopt;
      if (open.back().begin == leaves) return std::nullopt;
      open.back().end = leaves;
      closed.push_back(open.back());
      open.pop_back();
      ended = open.empty();
    } else {
      if (open.empty()) return std::nullopt;
      ++leaves;
    }
  }
  if (!ended) return std::nullopt;
  return closed;
}

// Those that count, in order.
static std::vector<Bracket> counted_brackets(std::vector<Bracket> brackets) {
  const auto is_root = [](const Bracket& b) { return b.label == "ROOT" || b.label == "TOP"; };
  brackets.erase(std::remove_if(brackets.begin(), brackets.end(), is_root), brackets.end());
  std::sort(brackets.begin(), brackets.end());
  return brackets;
}

static double share(Index part, Index whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

BracketCounts bracket_counts(const std::string& hypothesis, const std::string& reference) {
  const std::optional<std::vector<Bracket>> right = brackets_of(reference);
  ATTN_CHECK(right.has_value(), "the reference is not a tree: ", shortened(reference));
  const std::vector<Bracket> wanted = counted_brackets(*right);
  BracketCounts counts;
  counts.trees = 1;
  counts.reference = static_cast<Index>(wanted.size());
  const std::optional<std::vector<Bracket>> tree = brackets_of(hypothesis);
  if (!tree.has_value()) return counts;
  counts.well_formed = 1;
  const std::vector<Bracket> found = counted_brackets(*tree);
  counts.hypothesis = static_cast<Index>(found.size());
  // A bracket that is there twice matches twice only if the reference has it twice.
  std::vector<Bracket> matched;
  std::set_intersection(found.begin(), found.end(), wanted.begin(), wanted.end(),
                        std::back_inserter(matched));
  counts.matched = static_cast<Index>(matched.size());
  return counts;
}

BracketCounts& BracketCounts::operator+=(const BracketCounts& other) {
  matched += other.matched;
  hypothesis += other.hypothesis;
  reference += other.reference;
  trees += other.trees;
  well_formed += other.well_formed;
  return *this;
}

BracketScores bracket_scores(const BracketCounts& counts) {
  const double p = share(counts.matched, counts.hypothesis);
  const double r = share(counts.matched, counts.reference);
  return {p, r, p + r == 0 ? 0 : 2 * p * r / (p + r)};
}

}  // namespace attn
