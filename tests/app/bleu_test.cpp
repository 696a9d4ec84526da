#include <doctest/doctest.h>

#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("bleu");

const std::string kHypotheses = "the cat sat on a mat .\nhe said: yes\n";

// By hand: of 7 + 4 words 6 + 4 match, of 6 + 3 bigrams 4 + 2, of 5 + 2 trigrams 2 + 1, of 4 + 1
// 4-grams 1 + 0; the references have 7 + 6 words, since 13a takes quotes and colon for words.
TEST_CASE("bleu prints the score, the precisions, the lengths and a signature") {
  const TemporaryDirectory directory;
  const std::string reference = directory.file("r", "the cat sat on the mat .\nhe said: \"yes\"\n");
  const Outcome outcome = worked(run("bleu --reference " + reference, kHypotheses));
  CHECK(outcome.out ==
        "BLEU = 39.80  90.9/66.7/42.9/20.0 (BP = 0.834, 11 words, references 13)\n"
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:attention-" ATTENTION_VERSION "\n");
}

TEST_CASE("a byte-order mark is left out, unlike in sacreBLEU, and the help says so") {
  const TemporaryDirectory directory;
  const std::string reference = directory.file("r", "the cat sat on the mat\n");
  const std::string marked = directory.file("m", "\xEF\xBB\xBFthe cat sat on the mat\n");
  for (const std::string& file : {reference, marked}) {
    CHECK(
        contains(run("bleu --reference " + file, "the cat sat on the mat\n").out, "BLEU = 100.00"));
  }
  CHECK(contains(run("bleu --help").out, "byte-order mark"));
}

TEST_CASE("several references, and other words") {
  const TemporaryDirectory directory;
  const std::string one = directory.file("r", "the cat sat on the mat .\nhe said yes\n");
  const std::string two = directory.file("s", "the cat sat on a mat .\nhe said: yes\n");
  const Outcome both = run("bleu --tokenize none --reference " + one + " " + two, kHypotheses);
  CHECK(contains(both.out, "BLEU = 100.00  100.0/100.0/100.0/100.0 (BP = 1.000, 10 words"));
  CHECK(contains(both.out, "nrefs:2|case:mixed|eff:no|tok:none|"));
  CHECK(contains(run("bleu --tokenize char --reference " + two, kHypotheses).out, "tok:char"));
}

TEST_CASE("what cannot be scored is refused, with what does not fit") {
  const TemporaryDirectory directory;
  const std::string reference = directory.file("r", "a\nb\nc\n");
  check_fails(run("bleu --reference " + reference, kHypotheses),
              "r has 3 lines and standard input has 2; line n of one is scored with line n of the");
  check_fails(run("bleu --reference " + reference), "standard input is empty");
  check_fails(run("bleu --reference " + reference + " --tokenize intl", "a\nb\nc\n"),
              "--tokenize: expected 13a, none or char, not 'intl'", 2);
  check_fails(run("bleu", "a\n"), "--reference", 2);
  check_fails(run_script(limit_memory(1'000'000'000) + "yes | \"$attention\" bleu --reference " +
                         reference),
              ": the lines so far take half of the memory");
  check_fails(run("bleu --reference " + reference, "a\n\xFF\nc\n"), "line 2, byte 1: not UTF-8");
}

TEST_SUITE_END();

}  // namespace attn::test
