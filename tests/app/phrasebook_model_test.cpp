#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("phrasebook model");

namespace {
const std::string kDirectory = ATTENTION_SOURCE_DIR "/data/phrasebook";
}

TEST_CASE("the model in data/phrasebook translates at once, each word by its sentence") {
  const std::string source =
      "Jane visite l'Afrique en septembre\n"
      "le livre est sur la table\n"
      "cette vieille vache mange une livre de riz\n"
      "un avocat mange un avocat\n"
      "il porte une valise\n"
      "il porte une robe\n"
      "jane visite l’Afrique en Septembre\n";
  const std::string target =
      "Jane visits Africa in September\n"
      "the book is on the table\n"
      "this old cow eats a pound of rice\n"
      "a lawyer eats an avocado\n"
      "he carries a suitcase\n"
      "he wears a dress\n"
      "Jane visits Africa in September\n";
  for (const char* beam : {"1", "4"}) {
    CAPTURE(beam);
    const Outcome outcome =
        run("translate --model " + kDirectory + " --beam " + std::string(beam), source);
    CHECK(outcome.out == target);
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("punctuation that hides a word from it is hinted at, once") {
  const std::string translate = "translate --model " + kDirectory;
  const Outcome outcome = run(translate, "Jane visite l'Afrique en septembre.\nla vache, vache.\n");
  CHECK(count(outcome.err, "attention: hint: this model knows ") == 1);
  CHECK_MESSAGE(contains(outcome.err, "knows \"septembre\": leave punctuation out, or put spaces"),
                outcome.err);
  CHECK(!contains(run(translate, "Zanzibar. ...\n").err, "hint"));
}

TEST_CASE("accents that are characters of their own are pointed out, once, with what to do") {
  const std::string translate = "translate --model " + kDirectory, advice = "the accents are";
  const Outcome outcome = run(translate, "le muse\u0301e est grand\nle muse\u0301e est petit\n");
  CHECK_MESSAGE(contains(outcome.err, "line 1: the accents are characters of their own"),
                outcome.err);
  CHECK(contains(outcome.err, "u.normalize(\"NFC\""));
  CHECK(count(outcome.err, advice) == 1);
  CHECK(!contains(run(translate, "le mus\u00E9e est grand\n").err, advice));

  for (const std::string look : {"attend", "trace"}) {
    const std::string said = run(look + " --model " + kDirectory + " \"le muse\u0301e\"").err;
    CHECK(count(said, advice) == 1);
  }
  const TemporaryDirectory directory;
  const std::string source = directory.path("source"), target = directory.path("target");
  write_file(source, "le chat\nle muse\u0301e\n");
  write_file(target, "the cat\nthe muse\u0301e\n");
  const std::string files = " --source " + source + " --target " + target;
  CHECK(contains(run("evaluate --model " + kDirectory + files).err,
                 source + ", line 2: the accents are"));

  // A model that has learned them so reads what one sees.
  const std::string made = directory.path("run");
  worked(run("train text --preset tiny --tokenizer words --steps 0 --hold-out 0 --out " + made +
             files));
  CHECK(!contains(run("translate --model " + made, "le muse\u0301e\n").err, advice));
}

TEST_CASE("it is small, and 99 in 100 sentences of words never seen together come out right") {
  CHECK(std::filesystem::file_size(kDirectory + "/model.safetensors") +
            std::filesystem::file_size(kDirectory + "/tokenizer.txt") <=
        1'500'000);
  const Outcome outcome = run("evaluate --json --model " + kDirectory + " --source " + kDirectory +
                              "/test.source --target " + kDirectory + "/test.target");
  CHECK(json_of(outcome).at("exact_match").number() >= 0.99);
}

TEST_SUITE_END();

}  // namespace attn::test
