// Sentences are drawn until one belongs where it is wanted.
#include "lab/phrasebook/phrasebook.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "text/lines.h"

namespace attn {

namespace phrasebook {

namespace {

// How often each meaning of an ambiguous word has occurred, by its French and its English.
using MeaningCounts = std::map<std::string, std::map<std::string, int>>;

int least_of(const std::map<std::string, int>& counts) {
  const auto less = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::min_element(counts.begin(), counts.end(), less)->second;
}

// Whether no meaning in the sentence has occurred more often than the others of its word, or `most`
// times.
bool keeps_balance(const Sentence& sentence, const MeaningCounts& counts, int most) {
  std::set<std::string> words;
  for (const Phrase& meaning : sentence.meanings) {
    const std::map<std::string, int>& of_word = counts.at(meaning.french);
    const int now = of_word.at(meaning.english);
    if (now >= most || now > least_of(of_word)) return false;
    if (!words.insert(meaning.french).second) return false;
  }
  return true;
}

// Whether one of the rarest meanings so far is in the sentence.
bool has_rarest(const Sentence& sentence, const MeaningCounts& counts) {
  std::map<std::string, int> of_words;
  for (const auto& [word, meanings] : counts) of_words[word] = least_of(meanings);
  const int least = least_of(of_words);
  return std::any_of(sentence.meanings.begin(), sentence.meanings.end(), [&](const Phrase& one) {
    return counts.at(one.french).at(one.english) == least;
  });
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
  const std::size_t length = words(sentence.french).size();
  if (length > kLongest || (in_test && in_validation)) return std::nullopt;
  if (length > kLongestTraining) {
    return in_test || in_validation ? std::nullopt : std::optional(Split::longer);
  }
  if (words(sentence.english).size() > kLongestTraining) return std::nullopt;
  return in_test ? Split::test : in_validation ? Split::validation : Split::training;
}

Sentence training_sentence(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t example = mix(mix(hash("phrasebook"), seed), index);
  for (std::uint64_t attempt = 0;; ++attempt) {
    Sentence sentence = draw_sentence(example, attempt, Size::usual);
    if (split_of(sentence) == Split::training) return sentence;
  }
}

static std::vector<Sentence> chosen_sentences(Split split, const char* name) {
  const bool longer = split == Split::longer;
  const std::size_t size = longer ? 200 : 1000;
  std::vector<Sentence> chosen;
  MeaningCounts counts;
  for (const auto& [word, meanings] : lexicon().ambiguous) {
    for (const std::string& meaning : meanings) counts[word][meaning] = 0;
  }
  if (split == Split::test) {
    chosen.push_back({{"Jane visite l'Afrique en septembre", "Jane visits Africa in September"},
                      {"septembre Afrique"},
                      {}});
  }
  std::unordered_set<std::string> seen;
  for (const Sentence& sentence : chosen) seen.insert(sentence.french);
  for (std::uint64_t attempt = 0; chosen.size() < size; ++attempt) {
    Sentence sentence = draw_sentence(hash(name), attempt, longer ? Size::longer : Size::usual);
    const std::size_t n = chosen.size();
    const std::size_t length = words(sentence.french).size();
    // Some words are drawn more often than others, and wait for them.
    const int most = 6 + static_cast<int>(n) / 20;
    if (split_of(sentence) != split || !keeps_balance(sentence, counts, most)) continue;
    if (longer && length != kLongestTraining + 1 + n % (kLongest - kLongestTraining)) continue;
    if (!longer && sentence.meanings.empty() && n % 2 == 1) continue;
    if (split == Split::test && n % 40 == 39 && !has_rarest(sentence, counts)) continue;
    if (!seen.insert(sentence.french).second) continue;
    for (const Phrase& meaning : sentence.meanings) ++counts[meaning.french][meaning.english];
    chosen.push_back(std::move(sentence));
  }
  return chosen;
}

const std::vector<Sentence>& held_out_sentences(Split split) {
  if (split == Split::validation) {
    static const std::vector<Sentence> chosen = chosen_sentences(split, "phrasebook validation");
    return chosen;
  }
  if (split == Split::test) {
    static const std::vector<Sentence> chosen = chosen_sentences(split, "phrasebook test");
    return chosen;
  }
  ATTN_CHECK(split == Split::longer, "the training split has no fixed set of sentences");
  static const std::vector<Sentence> chosen = chosen_sentences(split, "phrasebook longer");
  return chosen;
}

}  // namespace phrasebook

// The words of both languages: each is met early on among the sentences of training.
static Vocabulary phrasebook_vocabulary() {
  UnitCounts counts;
  for (std::uint64_t i = 0; i < 60000; ++i) {
    const phrasebook::Sentence sentence = phrasebook::training_sentence(0, i);
    count_units(Units::words, sentence.french, counts);
    count_units(Units::words, sentence.english, counts);
  }
  return most_frequent_words(counts, static_cast<Index>(counts.size()) + kSpecialTokens);
}

Task phrasebook_task() {
  static const Vocabulary vocabulary = phrasebook_vocabulary();
  Task task;
  task.name = "phrasebook";
  task.tokenizer = vocabulary;
  task.training_example = [](std::uint64_t seed, std::uint64_t index) {
    const phrasebook::Sentence sentence = phrasebook::training_sentence(seed, index);
    return TextPair{sentence.french, sentence.english};
  };
  task.held_out = [](Split split) {
    std::vector<TextPair> pairs;
    for (const phrasebook::Sentence& sentence : phrasebook::held_out_sentences(split)) {
      pairs.push_back({sentence.french, sentence.english});
    }
    return pairs;
  };
  return task;
}

}  // namespace attn
