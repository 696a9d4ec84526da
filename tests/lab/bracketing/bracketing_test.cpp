// The toy grammar, read by a parser that knows only its rules.
#include "lab/bracketing/bracketing.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <doctest/doctest.h>
#include "base/check.h"
#include "support/strings.h"
#include "text/lines.h"

using namespace attn;
using namespace attn::test;
using namespace attn::bracketing;

namespace {

// Recursive descent. It takes "of" and "that" to the noun and "with" to the verb that it has just
// read; that every sentence comes out as the grammar drew it shows that there is one tree.
class Parser {
 public:
  explicit Parser(const std::string& sentence) : words_(words_of(sentence)) {}

  std::string tree() {
    sentence();
    CHECK(at_ == words_.size());
    return tree_;
  }
  int deepest() const { return deepest_; }

 private:
  bool next_is(const std::string& words) const {
    return at_ < words_.size() && (' ' + words + ' ').find(' ' + words_[at_] + ' ') != words.npos;
  }
  void leaf() {
    REQUIRE(at_ < words_.size());
    tree_ += " XX";
    ++at_;
  }
  void open(const std::string& label) { tree_ += (tree_.empty() ? "(" : " (") + label; }
  void close(const std::string& label) { tree_ += " )" + label; }
  void nested(int by) { deepest_ = std::max(deepest_, depth_ += by); }

  void sentence() {
    open("S");
    noun_phrase();
    verb_phrase();
    close("S");
  }
  void noun_phrase() {
    open("NP");
    leaf();
    if (next_is("old young small happy quiet clever")) leaf();
    leaf();
    if (next_is("of")) {
      with_noun("PP");
    } else if (next_is("that")) {
      open("SBAR");
      nested(1);
      leaf();
      if (next_is("the a every some")) {
        noun_phrase();
        leaf();
      } else {
        verb_phrase();
      }
      nested(-1);
      close("SBAR");
    }
    close("NP");
  }
  void with_noun(const std::string& label) {
    open(label);
    nested(1);
    leaf();
    noun_phrase();
    nested(-1);
    close(label);
  }
  void verb_phrase() {
    open("VP");
    const bool of_saying = next_is("thinks says hopes believes");
    const bool transitive = next_is("sees likes follows helps finds knows calls hears");
    leaf();
    if (of_saying) {
      open("SBAR");
      nested(1);
      leaf();
      sentence();
      nested(-1);
      close("SBAR");
    } else if (transitive) {
      noun_phrase();
      if (next_is("with")) with_noun("PP");
    }
    close("VP");
  }

  std::vector<std::string> words_;
  std::size_t at_ = 0;
  std::string tree_;
  int depth_ = 0, deepest_ = 0;
};

std::vector<ParsedSentence> some_of_everything() {
  std::vector<ParsedSentence> all;
  for (std::uint64_t i = 0; i < 2000; ++i) all.push_back(training_sentence(3, i));
  for (const Split split : {Split::validation, Split::test, Split::longer}) {
    for (const ParsedSentence& sentence : held_out_sentences(split)) all.push_back(sentence);
  }
  return all;
}

}  // namespace

TEST_SUITE("6.3 constituency parsing") {
  TEST_CASE("a parser that attaches to the last noun or verb finds the tree of every sentence") {
    for (const ParsedSentence& sentence : some_of_everything()) {
      CAPTURE(sentence.words);
      Parser parser(sentence.words);
      REQUIRE(parser.tree() == sentence.tree);
      REQUIRE(parser.deepest() == sentence.depth);
      const auto leaves = words_of(sentence.tree);
      REQUIRE(static_cast<std::size_t>(std::count(leaves.begin(), leaves.end(), "XX")) ==
              words_of(sentence.words).size());
    }
  }

  TEST_CASE("depth and length tell training and longer apart, and no sentence is in two sets") {
    std::set<std::string> held_out;
    for (const Split split : {Split::validation, Split::test, Split::longer}) {
      const bool longer = split == Split::longer;
      std::map<int, int> depths;
      for (const ParsedSentence& sentence : held_out_sentences(split)) {
        CHECK(held_out.insert(sentence.words).second);
        CHECK(split_of(sentence) == split);
        ++depths[sentence.depth];
        CHECK(words_of(sentence.words).size() <= (longer ? kLongest : kLongestTraining));
      }
      CHECK(depths.size() == (longer ? 2 : 3));
      CHECK(depths.begin()->first == (longer ? 3 : 0));
      CHECK(depths.begin()->second == (longer ? 100 : 334));
    }
    std::map<int, int> depths;
    for (std::uint64_t i = 0; i < 3000; ++i) {
      const ParsedSentence sentence = training_sentence(1, i);
      CHECK(held_out.count(sentence.words) == 0);
      ++depths[sentence.depth];
    }
    REQUIRE(depths.size() == 3);
    CHECK(depths[0] == doctest::Approx(500).epsilon(0.15));
    CHECK(depths[1] == doctest::Approx(1000).epsilon(0.15));
    CHECK(depths[2] == doctest::Approx(1500).epsilon(0.15));
    CHECK_THROWS_AS(held_out_sentences(Split::training), Error);
  }

  TEST_CASE("a training sentence is a function of seed and index, and its words are all known") {
    CHECK(training_sentence(5, 7).words == training_sentence(5, 7).words);
    CHECK(training_sentence(5, 7).words != training_sentence(5, 8).words);
    CHECK(training_sentence(5, 7).words != training_sentence(6, 7).words);
    const Task task = bracketing_task();
    for (const auto& pairs : {task.test_set(), task.longer_test_set(), task.validation_set()}) {
      for (const TextPair& pair : pairs) {
        CHECK(task.tokenizer.decode(encode_pair(task.tokenizer, pair).source) == pair.source);
        CHECK(task.tokenizer.decode(encode_pair(task.tokenizer, pair).target) == pair.target);
      }
    }
  }
}
