// Letters are drawn until the split that they belong to is the one that is wanted.
#include "tasks/letters.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "base/utf8.h"

namespace attn {

namespace {

constexpr int kAlphabet = 26;

// `length` letters, each uniform: a function of the numbers alone.
std::string random_letters(int length, std::uint64_t seed, std::uint64_t attempt) {
  const RandomStream random{seed, mix(hash("letters"), attempt)};
  std::string letters;
  for (int i = 0; i < length; ++i) {
    const auto letter = random.below(static_cast<std::uint64_t>(i), kAlphabet);
    letters += static_cast<char>('a' + static_cast<int>(letter));
  }
  return letters;
}

Tokenizer alphabet() {
  Tokenizer vocabulary;
  for (char letter = 'a'; letter <= 'z'; ++letter) vocabulary.add({&letter, 1}, "the alphabet");
  return vocabulary;
}

}  // namespace

Split split_of(std::string_view letters) {
  if (letters.size() < kShortestHeldOut) return Split::training;
  if (letters.size() > kLongestTraining) return Split::longer;
  const std::uint64_t part = hash(letters) % 20;
  return part == 0 ? Split::validation : part == 1 ? Split::test : Split::training;
}

std::string training_letters(std::uint64_t seed, std::uint64_t index) {
  // The length is drawn once and the letters until they belong to training: were both drawn again,
  // the lengths 1 and 2, which are never refused, would come too often.
  const std::uint64_t example = mix(seed, index);
  const RandomStream random{example, hash("length of letters")};
  const std::uint64_t longer_of_two =
      std::max(random.below(0, kLongestTraining), random.below(1, kLongestTraining));
  const int length = 1 + static_cast<int>(longer_of_two);
  for (std::uint64_t attempt = 0;; ++attempt) {
    std::string letters = random_letters(length, example, attempt);
    if (split_of(letters) == Split::training) return letters;
  }
}

std::vector<std::string> held_out_letters(Split split) {
  ATTN_CHECK(split != Split::training, "the training split has no fixed set of sequences");
  struct Set {
    const char* name;
    int size, shortest, longest;
  };
  const Set set = split == Split::validation
                      ? Set{"validation", 500, kShortestHeldOut, kLongestTraining}
                  : split == Split::test ? Set{"test", 1000, kShortestHeldOut, kLongestTraining}
                                         : Set{"longer", 200, kLongestTraining + 1, 30};

  std::vector<std::string> chosen;
  std::unordered_set<std::string> seen;
  for (int i = 0; i < set.size; ++i) {
    const int length = set.shortest + i % (set.longest - set.shortest + 1);
    const std::uint64_t example = mix(hash(set.name), static_cast<std::uint64_t>(i));
    std::string letters;
    std::uint64_t attempt = 0;
    do {
      letters = random_letters(length, example, attempt++);
    } while (split_of(letters) != split || !seen.insert(letters).second);
    chosen.push_back(std::move(letters));
  }
  return chosen;
}

// The task of which the target of a source is target_of(source), both without spaces.
static Task letters_task(std::string name, std::string (*target_of)(const std::string& source)) {
  const auto pair = [target_of](const std::string& source) {
    return TextPair{joined(characters(source), " "), joined(characters(target_of(source)), " ")};
  };
  Task task;
  task.name = std::move(name);
  task.tokenizer = alphabet();
  task.training_example = [pair](std::uint64_t seed, std::uint64_t index) {
    return pair(training_letters(seed, index));
  };
  task.held_out = [pair](Split split) {
    std::vector<TextPair> pairs;
    for (const std::string& source : held_out_letters(split)) pairs.push_back(pair(source));
    return pairs;
  };
  return task;
}

Task copy_task() {
  return letters_task("copy", [](const std::string& source) { return source; });
}

Task reverse_task() {
  return letters_task("reverse", [](const std::string& source) {
    return std::string(source.rbegin(), source.rend());
  });
}

}  // namespace attn
