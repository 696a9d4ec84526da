#include "lab/phrasebook/phrasebook.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/check.h"

namespace attn {

namespace phrasebook {

namespace {

int words_in(const std::string& line) {
  return 1 + static_cast<int>(std::count(line.begin(), line.end(), ' '));
}

// How often each meaning has come of each word that has more than one: by French, by English.
using MeaningCounts = std::map<std::string, std::map<std::string, int>>;

MeaningCounts none_yet() {
  MeaningCounts counts;
  for (const auto& [word, meanings] : ambiguous_words()) {
    for (const std::string& meaning : meanings) counts[word][meaning] = 0;
  }
  return counts;
}

// Whether no meaning in the sentence is ahead of the others of its word, nor has come `most` times.
bool keeps_balance(const Sentence& sentence, const MeaningCounts& counts, int most) {
  std::set<std::string> words;
  for (const Meaning& meaning : sentence.meanings) {
    if (!words.insert(meaning.french).second) return false;
    const std::map<std::string, int>& of_word = counts.at(meaning.french);
    const int now = of_word.at(meaning.english);
    const auto is_behind = [now](const auto& other) { return other.second < now; };
    if (now >= most || std::any_of(of_word.begin(), of_word.end(), is_behind)) return false;
  }
  return true;
}

// Whether no meaning at all has come less often than one in the sentence.
bool has_rarest(const Sentence& sentence, const MeaningCounts& counts) {
  int least = std::numeric_limits<int>::max();
  for (const auto& [word, meanings] : counts) {
    for (const auto& [meaning, count] : meanings) least = std::min(least, count);
  }
  for (const Meaning& meaning : sentence.meanings) {
    if (counts.at(meaning.french).at(meaning.english) == least) return true;
  }
  return false;
}

}  // namespace

Split split_of_pair(const std::string& pair) {
  const std::uint64_t part = hash("the pair " + pair) % 20;
  return part < 2 ? Split::test : part == 2 ? Split::validation : Split::training;
}

std::optional<Split> split_of(const Sentence& sentence) {
  bool in_test = false, in_validation = false;
  for (const std::string& pair : sentence.pairs) {
    in_test |= split_of_pair(pair) == Split::test;
    in_validation |= split_of_pair(pair) == Split::validation;
  }
  const int length = words_in(sentence.french);
  if (length > kLongest || (in_test && in_validation)) return std::nullopt;
  if (length > kLongestTraining) {
    return in_test || in_validation ? std::nullopt : std::optional(Split::longer);
  }
  if (words_in(sentence.english) > kLongestTraining) return std::nullopt;
  return in_test ? Split::test : in_validation ? Split::validation : Split::training;
}

Sentence training_sentence(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t example = mix(mix(hash("phrasebook"), seed), index);
  for (std::uint64_t attempt = 0;; ++attempt) {
    Sentence sentence = draw_sentence(example, attempt, Size::usual);
    if (split_of(sentence) == Split::training) return sentence;
  }
}

namespace {

std::vector<Sentence> chosen_sentences(Split split) {
  const bool longer = split == Split::longer;
  const std::uint64_t seed = hash(split == Split::validation ? "phrasebook validation"
                                  : longer                   ? "phrasebook longer"
                                                             : "phrasebook test");
  const std::size_t size = longer ? 200 : 1000;
  constexpr std::size_t kLengths = kLongest - kLongestTraining;

  std::vector<Sentence> chosen;
  std::unordered_set<std::string> seen;
  MeaningCounts counts = none_yet();
  if (split == Split::test) {
    chosen.push_back({"Jane visite l'Afrique en septembre",
                      "Jane visits Africa in September",
                      {"septembre Afrique"},
                      {}});
    seen.insert(chosen[0].french);
  }
  std::uint64_t attempt = 0;
  while (chosen.size() < size) {
    Sentence sentence = draw_sentence(seed, attempt++, longer ? Size::longer : Size::usual);
    const bool ambiguous = !sentence.meanings.empty();
    const auto length = static_cast<std::size_t>(words_in(sentence.french));
    if (split_of(sentence) != split) continue;
    // Some words come more easily than others; they wait for those.
    const int most = 6 + static_cast<int>(chosen.size()) / 20;
    if (!keeps_balance(sentence, counts, most)) continue;
    if (longer && length != kLongestTraining + 1 + chosen.size() % kLengths) continue;
    if (!longer && !ambiguous && chosen.size() % 2 == 1) continue;
    const bool rare = split == Split::test && chosen.size() % 40 == 39;
    if (rare && !has_rarest(sentence, counts)) continue;
    if (!seen.insert(sentence.french).second) continue;
    for (const Meaning& meaning : sentence.meanings) ++counts[meaning.french][meaning.english];
    chosen.push_back(std::move(sentence));
  }
  return chosen;
}

}  // namespace

const std::vector<Sentence>& held_out_sentences(Split split) {
  ATTN_CHECK(split != Split::training, "the training split has no fixed set of sentences");
  if (split == Split::validation) {
    static const std::vector<Sentence> validation = chosen_sentences(split);
    return validation;
  }
  if (split == Split::test) {
    static const std::vector<Sentence> test = chosen_sentences(split);
    return test;
  }
  static const std::vector<Sentence> longer = chosen_sentences(Split::longer);
  return longer;
}

namespace {

TextPair pair_of(const Sentence& sentence) {
  return {sentence.french, sentence.english};
}

// The words of both languages: each is met early on among the sentences of training.
Vocabulary vocabulary() {
  constexpr std::uint64_t kSentences = 60000;
  WordCounts counts;
  for (std::uint64_t i = 0; i < kSentences; ++i) {
    const Sentence sentence = training_sentence(0, i);
    count_words(sentence.french, counts);
    count_words(sentence.english, counts);
  }
  return most_frequent_words(counts, static_cast<Index>(counts.size()) + kSpecialTokens);
}

}  // namespace

}  // namespace phrasebook

Task phrasebook_task() {
  static const Vocabulary vocabulary = phrasebook::vocabulary();
  const auto held_out = [](Split split) {
    return [split] {
      std::vector<TextPair> pairs;
      for (const phrasebook::Sentence& sentence : phrasebook::held_out_sentences(split)) {
        pairs.push_back(phrasebook::pair_of(sentence));
      }
      return pairs;
    };
  };
  Task task;
  task.name = "phrasebook";
  task.tokenizer = vocabulary;
  task.training_example = [](std::uint64_t seed, std::uint64_t index) {
    return phrasebook::pair_of(phrasebook::training_sentence(seed, index));
  };
  task.validation_set = held_out(Split::validation);
  task.test_set = held_out(Split::test);
  task.longer_test_set = held_out(Split::longer);
  return task;
}

}  // namespace attn
