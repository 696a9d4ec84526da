// The splits of the phrasebook: what is in training, and what never is.
#include "lab/phrasebook/phrasebook.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include <doctest/doctest.h>
#include "base/check.h"
#include "base/printing.h"
#include "support/strings.h"
#include "text/lines.h"

using namespace attn;
using namespace attn::test;
using namespace attn::phrasebook;

namespace {

std::vector<Sentence> training(std::uint64_t seed, std::uint64_t count) {
  std::vector<Sentence> sentences;
  for (std::uint64_t i = 0; i < count; ++i) sentences.push_back(training_sentence(seed, i));
  return sentences;
}

constexpr Split kSplits[] = {Split::validation, Split::test, Split::longer};

// "l'ami" as "ami": the word itself.
std::string without_elision(const std::string& word) {
  const std::size_t apostrophe = word.find('\'');
  return apostrophe == std::string::npos || apostrophe > 2 ? word : word.substr(apostrophe + 1);
}

// --- a second way to find pairs: from the words of a French sentence alone ---

using WordPairs = std::set<std::pair<std::string, std::string>>;

// First forms by form: of the adjectives and nouns, which are found next to each other, and of
// verbs, between which and a noun there may be articles, adverbs and adjectives.
struct Forms {
  std::map<std::string, std::string> adjectives, nouns, verbs, places, months;

  Forms() {
    for (const Adjective& a : phrasebook::list("adjective")) {
      for (const std::string& form :
           {a.french, a.feminine, a.plural.french, a.feminine_plural, a.before_vowel}) {
        adjectives[form] = a.french;
      }
    }
    for (const Noun& n : phrasebook::list("noun")) {
      nouns[n.french] = n.french;
      nouns[n.plural.french] = n.french;
    }
    for (const char* table : {"verb", "verb_of_place"}) {
      for (const Verb& v : phrasebook::list(table)) {
        for (const std::string& form : {v.french, v.plural.french, v.infinitive, v.participle}) {
          verbs[form] = v.french;
        }
      }
    }
    for (const Word& p : phrasebook::list("place")) places[p.french] = p.french;
    for (const Word& m : phrasebook::list("month")) months[m.french] = m.french;
    for (auto* forms : {&adjectives, &nouns, &verbs}) forms->erase("");
  }
};

const std::set<std::string> kBetween{
    "le",    "la",     "les",  "un",      "une", "des",  "du",    "de",   "ce",    "cet",
    "cette", "ces",    "son",  "sa",      "ses", "leur", "leurs", "deux", "trois", "quatre",
    "pas",   "jamais", "plus", "souvent", "à",   "au",   "aux",   "avec", "dans"};

const Forms& all_forms() {
  static const Forms forms;
  return forms;
}

WordPairs pairs_in(const std::string& french) {
  const Forms& forms = all_forms();
  const auto find = [](const std::map<std::string, std::string>& table, const std::string& word) {
    const auto found = table.find(word);
    return found == table.end() ? std::string() : found->second;
  };
  WordPairs pairs;
  const auto add = [&](const std::string& a, const std::string& b) {
    if (!a.empty() && !b.empty()) pairs.insert({a, b});
  };
  std::string last, verb, month, place;
  for (const std::string& whole : words_of(french)) {
    const std::string word = without_elision(whole);
    const std::string noun = find(forms.nouns, word), adjective = find(forms.adjectives, word);
    add(find(forms.adjectives, last), noun);
    add(adjective, find(forms.nouns, last));
    add(verb, noun);
    const bool between = kBetween.count(word) + forms.adjectives.count(word) > 0;
    if (!between) verb = last == "y" ? "" : find(forms.verbs, word);  // "il y a" has no object
    if (forms.months.count(word) > 0) month = word;
    if (forms.places.count(word) > 0) place = word;
    last = word;
  }
  add(month, place);
  return pairs;
}

WordPairs pairs_of(const Sentence& sentence, Split split) {
  WordPairs pairs;
  for (const std::string& pair : sentence.pairs) {
    const std::size_t space = pair.find(' ');
    if (split_of_pair(pair) == split) pairs.insert({pair.substr(0, space), pair.substr(space + 1)});
  }
  return pairs;
}

}  // namespace

TEST_SUITE("tasks: phrasebook") {
  TEST_CASE("a French sentence has one English translation") {
    std::unordered_map<std::string, std::string> english;
    const auto check = [&](const Sentence& sentence) {
      const auto found = english.emplace(sentence.french, sentence.english).first;
      CAPTURE(sentence.french);
      REQUIRE(found->second == sentence.english);
    };
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      for (const Sentence& sentence : training(seed, 20000)) check(sentence);
    }
    for (const Split split : kSplits) {
      for (const Sentence& sentence : held_out_sentences(split)) check(sentence);
    }
    CHECK(english.size() > 50000);
  }

  TEST_CASE("no training sentence of any seed is one that models are judged by") {
    std::unordered_set<std::string> judged;
    for (const Split split : kSplits) {
      for (const Sentence& sentence : held_out_sentences(split)) judged.insert(sentence.french);
    }
    CHECK(judged.size() == 1000 + 1000 + 200);  // and the sets have nothing in common
    int leaks = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      for (const Sentence& sentence : training(seed, 20000)) {
        leaks += static_cast<int>(judged.count(sentence.french));
      }
    }
    CHECK(leaks == 0);
  }

  TEST_CASE("a pair of the test is never in training, though each of its words often is") {
    WordPairs test_pairs, validation_pairs;
    for (const Sentence& sentence : held_out_sentences(Split::test)) {
      const WordPairs pairs = pairs_of(sentence, Split::test);
      CHECK(!pairs.empty());
      CHECK(pairs_of(sentence, Split::validation).empty());
      test_pairs.insert(pairs.begin(), pairs.end());
    }
    for (const Sentence& sentence : held_out_sentences(Split::validation)) {
      const WordPairs pairs = pairs_of(sentence, Split::validation);
      CHECK(!pairs.empty());
      CHECK(pairs_of(sentence, Split::test).empty());
      validation_pairs.insert(pairs.begin(), pairs.end());
    }
    CHECK(test_pairs.size() > 80);
    CHECK(validation_pairs.size() > 40);
    std::map<std::string, int> first, second;
    for (const Sentence& sentence : training(4, 40000)) {
      for (const auto& pair : pairs_in(sentence.french)) {
        CAPTURE(sentence.french);
        REQUIRE(test_pairs.count(pair) + validation_pairs.count(pair) == 0);
      }
      for (const auto& pair : pairs_of(sentence, Split::training)) {
        ++first[pair.first];
        ++second[pair.second];
      }
    }
    for (const WordPairs& pairs : {test_pairs, validation_pairs}) {
      for (const auto& pair : pairs) {
        CAPTURE(pair.first);
        CAPTURE(pair.second);
        CHECK(first[pair.first] >= 20);
        CHECK(second[pair.second] >= 20);
      }
    }
  }

  TEST_CASE("the pairs of a sentence can be read from its words, so the test above sees them") {
    for (const Split split : {Split::validation, Split::test}) {
      int found = 0;
      for (const Sentence& sentence : held_out_sentences(split)) {
        const WordPairs read = pairs_in(sentence.french);
        for (const auto& pair : pairs_of(sentence, split)) {
          if (read.count(pair) == 0) continue;
          ++found;
          break;
        }
      }
      CHECK(found > 700);  // not "le chapeau est noir", nor "le livre que Marie lit"
    }
  }

  TEST_CASE("a sentence has both words of each of its pairs") {
    const Forms& forms = all_forms();
    const auto add = [](std::set<std::string>& said,
                        const std::map<std::string, std::string>& table, const std::string& word) {
      const auto found = table.find(word);
      if (found != table.end()) said.insert(found->second);
    };
    for (std::uint64_t i = 0; i < 30000; ++i) {
      const Sentence sentence = draw_sentence(8, i, Size::usual);
      std::set<std::string> said;
      for (const std::string& whole : words_of(sentence.french)) {
        const std::string word = without_elision(whole);
        for (const auto* table :
             {&forms.adjectives, &forms.nouns, &forms.verbs, &forms.places, &forms.months}) {
          add(said, *table, word);
        }
        // The imperfect: habit(ait).
        for (const char* end : {"ait", "aient"}) {
          if (ends_with(word, end)) {
            add(said, forms.verbs, word.substr(0, word.size() - std::string(end).size()));
          }
        }
        // A participle that agrees: entrée, entrés, entrées.
        const std::size_t last = word.find_last_not_of("es");
        add(said, forms.verbs, word.substr(0, last + 1));
      }
      for (const std::string& pair : sentence.pairs) {
        CAPTURE(sentence.french);
        CAPTURE(pair);
        const std::size_t space = pair.find(' ');
        REQUIRE(said.count(pair.substr(0, space)) + said.count(pair.substr(space + 1)) == 2);
      }
    }
  }

  TEST_CASE("a share of two in twenty pairs belongs to the test, one in twenty to validation") {
    std::map<Split, int> counts;
    int total = 0;
    for (const Adjective& adjective : phrasebook::list("adjective")) {
      for (const Noun& noun : phrasebook::list("noun")) {
        ++counts[split_of_pair(adjective.french + ' ' + noun.french)];
        ++total;
      }
    }
    CHECK(counts[Split::test] > total / 10 - total / 40);
    CHECK(counts[Split::test] < total / 10 + total / 40);
    CHECK(counts[Split::validation] > total / 20 - total / 80);
    CHECK(counts[Split::validation] < total / 20 + total / 80);
    CHECK(counts[Split::longer] == 0);
  }

  TEST_CASE("no meaning of a word comes more often than its others, give or take one") {
    for (const Split split : kSplits) {
      std::map<std::string, std::map<std::string, int>> counts;
      for (const Sentence& sentence : held_out_sentences(split)) {
        for (const Phrase& meaning : sentence.meanings) ++counts[meaning.french][meaning.english];
      }
      for (auto& entry : counts) {
        const std::string& word = entry.first;
        auto& meanings = entry.second;
        int least = 1000, most = 0;
        for (const std::string& meaning : lexicon().ambiguous.find(word)->second) {
          least = std::min(least, meanings[meaning]);
          most = std::max(most, meanings[meaning]);
        }
        CAPTURE(word);
        CHECK(most - least <= 1);
        if (split == Split::test) CHECK(least >= 1);
      }
      if (split == Split::test) CHECK(counts.size() == lexicon().ambiguous.size());
    }
  }

  TEST_CASE("every other sentence of the test at least has a word of two meanings") {
    for (const Split split : {Split::validation, Split::test}) {
      std::size_t ambiguous = 0;
      for (const Sentence& sentence : held_out_sentences(split))
        ambiguous += !sentence.meanings.empty();
      CHECK(ambiguous >= 500);
      CHECK(ambiguous < 800);
    }
  }

  TEST_CASE(
      "sentences have at most 14 words on either side, those of the longer set 15 to 24 evenly") {
    for (const Sentence& sentence : training(5, 10000)) {
      REQUIRE(words_of(sentence.french).size() <= 14);
      REQUIRE(words_of(sentence.english).size() <= 14);
    }
    for (const Split split : {Split::validation, Split::test}) {
      std::size_t french = 0, english = 0;  // the longest: as long as in training
      for (const Sentence& sentence : held_out_sentences(split)) {
        french = std::max(french, words_of(sentence.french).size());
        english = std::max(english, words_of(sentence.english).size());
      }
      CHECK(french == 14);
      CHECK(english == 14);
    }
    std::map<std::size_t, int> lengths;
    for (const Sentence& sentence : held_out_sentences(Split::longer)) {
      ++lengths[words_of(sentence.french).size()];
      for (const std::string& pair : sentence.pairs) {
        CHECK(split_of_pair(pair) == Split::training);
      }
    }
    CHECK(lengths.size() == 10);
    for (std::size_t length = 15; length <= 24; ++length) CHECK(lengths[length] == 20);
  }

  TEST_CASE("the vocabulary is what training says often: no word is in a test alone") {
    const Task task = phrasebook_task();
    REQUIRE(task.tokenizer.words() != nullptr);
    const Vocabulary& vocabulary = *task.tokenizer.words();
    std::map<std::string, int> counts;
    const auto check = [&](const Sentence& sentence) {
      for (const std::string& line : {sentence.french, sentence.english}) {
        for (const std::string& word : words_of(line)) {
          CAPTURE(word);
          REQUIRE(vocabulary.id(word) != kUnknown);
        }
      }
    };
    for (const Sentence& sentence : training(6, 80000)) {
      check(sentence);
      for (const std::string& line : {sentence.french, sentence.english}) {
        for (const std::string& word : words_of(line)) ++counts[word];
      }
    }
    for (const Split split : kSplits) {
      for (const Sentence& sentence : held_out_sentences(split)) check(sentence);
    }
    CHECK(vocabulary.size() < 1000);
    for (int id = kSpecialTokens; id < vocabulary.size(); ++id) {
      CAPTURE(vocabulary.token(id));
      CHECK(counts[vocabulary.token(id)] >= 5);
    }
  }

  TEST_CASE("a training sentence depends on seed and index, and on both") {
    std::set<std::string> long_ones;
    int count = 0;
    for (const std::uint64_t seed : {0u, 1u, 2u}) {
      for (std::uint64_t i = 0; i < 3000; ++i) {
        const Sentence sentence = training_sentence(seed, i);
        REQUIRE(sentence.french == training_sentence(seed, i).french);
        if (words_of(sentence.french).size() < 12) continue;  // short ones meet by chance
        ++count;
        long_ones.insert(sentence.french);
      }
    }
    CHECK(count > 500);
    CHECK(long_ones.size() == static_cast<std::size_t>(count));
  }

  TEST_CASE("the test begins in Africa, where no training sentence has been in September") {
    const Task task = phrasebook_task();
    CHECK(task.test_set()[0].source == "Jane visite l'Afrique en septembre");
    CHECK(task.test_set()[0].target == "Jane visits Africa in September");
    CHECK(split_of_pair("septembre Afrique") == Split::test);
    int africa = 0;
    for (const Sentence& sentence : training(7, 20000)) {
      const bool there = sentence.french.find("Afrique") != std::string::npos;
      africa += there;
      if (there) REQUIRE(sentence.french.find("septembre") == std::string::npos);
    }
    CHECK(africa > 20);
    CHECK_THROWS_AS(held_out_sentences(Split::training), Error);
  }
}
