#include <doctest/doctest.h>

#include "app/program.h"
#include "storage/atomic_file.h"

namespace attn::test {

TEST_SUITE_BEGIN("bleu and chrf");

namespace {
struct Files {
  const TemporaryDirectory directory;
  std::string path(const char* name, const std::string& contents) const {
    write_file(directory.path(name), contents);
    return directory.path(name);
  }
};
const std::string kHypotheses = "the cat sat on a mat .\nhe said: yes\n";
}  // namespace

// By hand: of 7 + 4 words 6 + 4 match, of 6 + 3 bigrams 4 + 2, of 5 + 2 trigrams 2 + 1, of 4 + 1
// 4-grams 1 + 0; the references have 7 + 6 words, since 13a takes quotes and colon for words.
TEST_CASE("bleu prints the score, the precisions, the lengths and a signature") {
  const Files files;
  const std::string reference = files.path("r", "the cat sat on the mat .\nhe said: \"yes\"\n");
  const Outcome outcome = worked(run("bleu --reference " + reference, kHypotheses));
  CHECK(outcome.out ==
        "BLEU = 39.80  90.9/66.7/42.9/20.0 (BP = 0.834, 11 words, references 13)\n"
        "nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:attention-" ATTENTION_VERSION "\n");
}

TEST_CASE("a byte-order mark is left out, unlike in sacreBLEU, and the help says so") {
  const Files files;
  const std::string reference = files.path("r", "the cat sat on the mat\n");
  const std::string marked = files.path("m", "\xEF\xBB\xBFthe cat sat on the mat\n");
  for (const std::string& file : {reference, marked}) {
    CHECK(
        contains(run("bleu --reference " + file, "the cat sat on the mat\n").out, "BLEU = 100.00"));
  }
  for (const char* score : {"bleu", "chrf"}) {
    CHECK(contains(run(score + std::string(" --help")).out, "byte-order mark"));
  }
}

TEST_CASE("several references, other words, and chrF") {
  const Files files;
  const std::string one = files.path("r", "the cat sat on the mat .\nhe said yes\n");
  const std::string two = files.path("s", "the cat sat on a mat .\nhe said: yes\n");
  const Outcome both = run("bleu --tokenize none --reference " + one + " " + two, kHypotheses);
  CHECK(contains(both.out, "BLEU = 100.00  100.0/100.0/100.0/100.0 (BP = 1.000, 10 words"));
  CHECK(contains(both.out, "nrefs:2|case:mixed|eff:no|tok:none|"));
  CHECK(contains(run("bleu --tokenize char --reference " + two, kHypotheses).out, "tok:char"));
  const Outcome chrf = run("chrf --reference " + two, kHypotheses);
  CHECK(contains(chrf.out, "chrF2 = 100.00\nnrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|"));
}

TEST_CASE("--compare scores a second output and says how sure the difference is") {
  const Files files;
  const std::string reference = files.path("r", kHypotheses);
  const std::string other = files.path("o", "a cat\nyes\n");
  const Outcome outcome =
      worked(run("bleu --reference " + reference + " --compare " + other, kHypotheses));
  CHECK(contains(outcome.out, "95% intervals: 100.00 ± 0.00 and 0.00 ± 0.00; p = "));
  CHECK(contains(outcome.out, "|bs:1000|seed:12345\n"));
  CHECK(outcome.err == "");
}

// Two different texts of which no word is right score 0 both. sacreBLEU's p counts the samples
// whose difference is strictly larger, which none is, so that p is 1/1001, its smallest.
TEST_CASE("--compare warns where both outputs have one score, also if their lines differ") {
  const Files files;
  const std::string reference = files.path("r", "a\n");
  const std::string other = files.path("o", "y\n");
  const std::string nothing_to_judge = "there is no difference for p to judge";
  for (const char* score : {"bleu", "chrf"}) {
    for (const char* line : {"x\n", "y\n"}) {
      const Outcome outcome =
          worked(run(score + (" --reference " + reference) + " --compare " + other, line));
      CHECK(contains(outcome.out, "p = 0.0010"));
      CHECK(contains(outcome.err, nothing_to_judge));
    }
  }
}

TEST_CASE("bracket-f1 prints F1, precision, recall and how many lines are trees") {
  const Files files;
  const std::string reference =
      files.path("r", "(S (NP XX XX )NP (VP XX (NP XX )NP )VP )S\n(S (NP XX )NP )S\n");
  const Outcome outcome =
      worked(run("bracket-f1 --reference " + reference,
                 "(S (NP XX )NP XX (VP XX (PP (NP XX )NP )PP )VP )S\n(S (NP XX )NP\n"));
  // 3 of 5 and 3 of 6
  CHECK(outcome.out ==
        "F1 = 54.55  (precision 60.00, recall 50.00; well-formed 50.0 %)\n"
        "nrefs:1|labels:yes|root:no|punctuation:yes|version:attention-" ATTENTION_VERSION "\n");
  CHECK(run("bracket-f1 --reference " + reference, "a\nb\n").status == 0);
  CHECK(contains(run("bracket-f1 --reference " + files.path("n", "(S\n"), "a\n").err,
                 "n, line 1: the reference is not a tree: (S"));
}

TEST_CASE("what cannot be scored is refused, with what does not fit") {
  const Files files;
  const std::string reference = files.path("r", "a\nb\nc\n");
  check_fails(run("bleu --reference " + reference, kHypotheses),
              "r has 3 lines and standard input has 2; line n of one is scored with line n of the");
  check_fails(run("chrf --reference " + reference), "standard input is empty");
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
