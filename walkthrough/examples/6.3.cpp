// The numbers of chapter 6.3: a tree and a wrong one of the same sentence, bracket by bracket.
//
//     example-6.3 brackets    both trees' brackets, and the scores
//     example-6.3 values      the scores as KEY = VALUE
#include <cstdio>
#include <set>
#include <string>

#include "lab/bracketing/bracket_f1.h"

using namespace attn;

namespace {

// a queen finds some teacher with every quiet queen
constexpr const char* kRight =
    "(S (NP XX XX )NP (VP XX (NP XX XX )NP (PP XX (NP XX XX XX )NP )PP )VP )S";
// The last three words hang on "teacher", and their PP is missing.
constexpr const char* kWrong = "(S (NP XX XX )NP (VP XX (NP XX XX XX (NP XX XX XX )NP )NP )VP )S";

void print_brackets(const char* name, const std::vector<Bracket>& brackets,
                    const std::set<Bracket>& others) {
  std::printf("%s\n", name);
  for (const Bracket& bracket : brackets) {
    std::printf("  %-3s %td to %td%s\n", bracket.label.c_str(), bracket.begin + 1, bracket.end,
                others.count(bracket) > 0 ? "" : "   not in the other");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc == 2 ? argv[1] : "";
  const BracketCounts counts = bracket_counts(kWrong, kRight);
  const BracketScores scores = bracket_scores(counts);
  if (what == "brackets") {
    const std::vector<Bracket> right = *brackets_of(kRight), wrong = *brackets_of(kWrong);
    print_brackets("reference", right, {wrong.begin(), wrong.end()});
    print_brackets("hypothesis", wrong, {right.begin(), right.end()});
  } else if (what == "values") {
    std::printf("matched = %td\nhypothesis = %td\nreference = %td\n", counts.matched,
                counts.hypothesis, counts.reference);
    std::printf("precision = %.6f\nrecall = %.6f\nf1 = %.6f\n", scores.precision, scores.recall,
                scores.f1);
  } else {
    std::fprintf(stderr, "usage: example-6.3 brackets|values\n");
    return 2;
  }
  return 0;
}
