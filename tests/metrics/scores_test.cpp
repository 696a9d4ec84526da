#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "base/check.h"
#include "metrics/bleu.h"
#include "storage/atomic_file.h"
#include "storage/json.h"

using namespace attn;

namespace {

using Lines = std::vector<std::string>;

Lines lines_of(const Json& json) {
  Lines lines;
  for (const Json& line : json.items()) lines.push_back(line.string());
  return lines;
}

// references: by file, then by line.
BleuCounts corpus(const Lines& hypotheses, const std::vector<Lines>& references, BleuWords words) {
  BleuCounts sum;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) {
    Lines of_line;
    for (const Lines& file : references) of_line.push_back(file[i]);
    sum += bleu_counts(hypotheses[i], of_line, words);
  }
  return sum;
}

}  // namespace

TEST_SUITE("6.1 scores") {
  TEST_CASE("BLEU is sacreBLEU's on hundreds of lines with one and three references") {
    const std::string path = std::string(ATTENTION_SOURCE_DIR) + "/tests/golden/scores.json";
    int corpora = 0;
    const Json all = parse_json(read_file(path), path);
    for (const Json& golden : all.at("cases").items()) {
      CAPTURE(corpora);
      const Lines hypotheses = lines_of(golden.at("hypotheses"));
      std::vector<Lines> references;
      for (const Json& file : golden.at("references").items()) references.push_back(lines_of(file));
      const std::pair<const char*, BleuWords> tokenisations[] = {
          {"13a", BleuWords::wmt_13a}, {"none", BleuWords::none}, {"char", BleuWords::characters}};
      for (const auto& tokenisation : tokenisations) {
        const char* const name = tokenisation.first;
        CAPTURE(name);
        const Bleu ours = bleu(corpus(hypotheses, references, tokenisation.second));
        const Json& theirs = golden.at(name);
        CHECK(std::abs(ours.score - theirs.at("score").number()) < 1e-9);
        CHECK(std::abs(ours.brevity_penalty - theirs.at("bp").number()) < 1e-12);
        for (std::size_t n = 0; n < kBleuOrder; ++n) {
          CHECK(std::abs(ours.precisions[n] - theirs.at("precisions").items()[n].number()) < 1e-9);
        }
      }
      ++corpora;
    }
    CHECK(corpora >= 14);
  }

  // Papineni et al. 2002, §2.1, examples 1 and 2 and the text after them.
  TEST_CASE("counts are clipped as in the paper of BLEU: 2/7, 17/18 and 8/14, 10/17 and 1/13") {
    const BleuCounts the = bleu_counts("the the the the the the the",
                                       {"the cat is on the mat", "there is a cat on the mat"});
    CHECK(the.matched[0] == 2);
    CHECK(the.total[0] == 7);
    const Lines references{
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the "
        "command of the Party",
        "It is the practical guide for the army always to heed the directions of the party"};
    const BleuCounts one = bleu_counts(
        "It is a guide to action which ensures that the military always obeys the commands of the "
        "party",
        references);
    CHECK(one.matched[0] == 17);
    CHECK(one.total[0] == 18);
    CHECK(one.matched[1] == 10);
    CHECK(one.total[1] == 17);
    const BleuCounts two = bleu_counts(
        "It is to insure the troops forever hearing the activity guidebook that party direct",
        references);
    CHECK(two.matched[0] == 8);
    CHECK(two.total[0] == 14);
    CHECK(two.matched[1] == 1);
    CHECK(two.total[1] == 13);
  }

  TEST_CASE("the length compared with is the nearest reference's, the shorter of two as near") {
    const Lines references{"a b c d e f g", "a b c", "a b c d e"};
    CHECK(bleu_counts("a b c d", references).reference_length == 3);
    CHECK(bleu_counts("a b c d e f", references).reference_length == 5);
    CHECK(bleu_counts("a b c d e f g h i", references).reference_length == 7);
    CHECK_THROWS_WITH_AS(bleu_counts("a", {}), "BLEU needs a reference", Error);
  }
}
