#include "lab/bracketing/bracket_f1.h"

#include <doctest/doctest.h>

#include <string>

#include "base/check.h"

using namespace attn;

namespace {

std::string listed(const std::string& tree) {
  const auto brackets = brackets_of(tree);
  if (!brackets.has_value()) return "no tree";
  std::string list;
  for (const Bracket& b : *brackets) list += text(b.label, ' ', b.begin, '-', b.end, ' ');
  return list;
}

}  // namespace

TEST_SUITE("6.3 constituency parsing") {
  TEST_CASE("the brackets of a tree are its labels with the leaves that they span") {
    CHECK(listed("(S (NP XX XX )NP (VP XX (NP XX )NP )VP )S") == "NP 0-2 NP 3-4 VP 2-4 S 0-4 ");
    CHECK(listed("(A (A x )A )A") == "A 0-1 A 0-1 ");
  }

  TEST_CASE("what is not one tree is told apart") {
    for (const std::string line :
         {"", "XX", "(S XX", "(S XX )S )S", "(S XX )NP", "(S (NP XX )S )NP", "(S )S", "XX (S XX )S",
          "(S XX )S XX", "(S XX )S (S XX )S", "(S (NP )NP XX )S", ")S"}) {
      CAPTURE(line);
      CHECK(listed(line) == "no tree");
    }
    // A bracket without a label is a leaf, as a parenthesis of the text.
    CHECK(listed("(S ( XX ) )S") == "S 0-3 ");
  }

  // Reference: S 0-4, NP 0-2, VP 2-4, NP 3-4. Hypothesis: S 0-4, NP 0-1, VP 2-4, NP 3-4, PP 3-4.
  TEST_CASE("F1 by hand: 3 of 5 found, 3 of 4 wanted") {
    const std::string reference = "(S (NP XX XX )NP (VP XX (NP XX )NP )VP )S";
    const BracketCounts counts =
        bracket_counts("(S (NP XX )NP XX (VP XX (PP (NP XX )NP )PP )VP )S", reference);
    CHECK(counts.matched == 3);
    CHECK(counts.hypothesis == 5);
    CHECK(counts.reference == 4);
    const BracketScores scores = bracket_scores(counts);
    CHECK(scores.precision == doctest::Approx(0.6));
    CHECK(scores.recall == doctest::Approx(0.75));
    CHECK(scores.f1 == doctest::Approx(2 * 0.6 * 0.75 / 1.35));
    CHECK(bracket_scores(bracket_counts(reference, reference)).f1 == 1);
  }

  TEST_CASE("a bracket matches no more often than both have it; ROOT and TOP do not count") {
    CHECK(bracket_counts("(A (A x )A )A", "(A x )A").matched == 1);
    CHECK(bracket_counts("(A x )A", "(A (A x )A )A").matched == 1);
    CHECK(bracket_counts("(A (A x )A )A", "(A (A x )A )A").matched == 2);
    const BracketCounts rooted = bracket_counts("(TOP (S XX )S )TOP", "(ROOT (S XX )S )ROOT");
    CHECK(rooted.matched == 1);
    CHECK(rooted.hypothesis == 1);
    CHECK(rooted.reference == 1);
  }

  TEST_CASE("what is not a tree misses every bracket, and the corpus is one sum") {
    BracketCounts counts = bracket_counts("(S XX", "(S (NP XX )NP )S");
    CHECK(counts.reference == 2);
    CHECK(counts.hypothesis == 0);
    CHECK(counts.trees == 1);
    CHECK(counts.well_formed == 0);
    CHECK(bracket_scores(counts).f1 == 0);
    counts += bracket_counts("(S (NP XX )NP )S", "(S (NP XX )NP )S");
    CHECK(counts.trees == 2);
    CHECK(counts.well_formed == 1);
    CHECK(bracket_scores(counts).precision == 1);
    CHECK(bracket_scores(counts).recall == 0.5);
    CHECK_THROWS_WITH_AS(bracket_counts("(S XX )S", "(S XX"), "the reference is not a tree: (S XX",
                         Error);
  }
}
