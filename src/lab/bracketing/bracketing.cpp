// A sentence and its tree are written side by side, by a function for each rule of the grammar.
#include "lab/bracketing/bracketing.h"

#include <algorithm>
#include <unordered_set>

#include "base/check.h"
#include "base/random.h"
#include "text/lines.h"

namespace attn {

namespace bracketing {

namespace {

using WordList = std::vector<std::string>;

const WordList kDeterminers{"the", "a", "every", "some"};
const WordList kAdjectives{"old", "young", "small", "happy", "quiet", "clever"};
const WordList kNouns{"dog",   "cat",     "king",    "girl",  "friend", "teacher",
                      "bird",  "doctor",  "child",   "queen", "farmer", "sailor",
                      "baker", "student", "painter", "horse"};
const WordList kIntransitive{"sleeps", "runs", "smiles", "waits", "sings", "works"};
const WordList kTransitive{"sees", "likes", "follows", "helps", "finds", "knows", "calls", "hears"};
const WordList kOfSaying{"thinks", "says", "hopes", "believes"};
const WordList kLabels{"S", "NP", "VP", "PP", "SBAR"};
constexpr const char* kLeaf = "XX";

class Writer {
 public:
  explicit Writer(const RandomStream& random) : random_(random) {}

  // S → NP VP; one of them is as deep as the sentence, the other nearly flat.
  void sentence(int depth) {
    constituent("S", [&] {
      const bool in_subject = below(2) == 0;
      const int other = std::min(depth, below(3) / 2);
      noun_phrase(in_subject ? depth : other);
      verb_phrase(in_subject ? other : depth);
    });
  }

  ParsedSentence done(int depth) const { return {words_, tree_, depth}; }

 private:
  void noun_phrase(int depth) {
    constituent("NP", [&] {
      leaf(kDeterminers);
      if (below(4) == 0) leaf(kAdjectives);
      leaf(kNouns);
      if (depth == 0) return;
      switch (below(3)) {
        case 0:
          return phrase("PP", "of", [&] { noun_phrase(depth - 1); });
        case 1:
          return phrase("SBAR", "that", [&] { verb_phrase(depth - 1); });
        default:
          return phrase("SBAR", "that", [&] {
            noun_phrase(depth - 1);
            leaf(kTransitive);
          });
      }
    });
  }

  void verb_phrase(int depth) {
    constituent("VP", [&] {
      const int kind = below(depth == 0 ? 2 : 3);
      if (depth == 0 && kind == 0) return leaf(kIntransitive);
      if (kind == 2) {
        leaf(kOfSaying);
        return phrase("SBAR", "that", [&] { sentence(depth - 1); });
      }
      leaf(kTransitive);
      if (depth == 0 || kind == 0) return noun_phrase(depth);
      noun_phrase(0);
      phrase("PP", "with", [&] { noun_phrase(depth - 1); });
    });
  }

  template <class Inside>
  void constituent(const std::string& label, const Inside& inside) {
    append(tree_, '(' + label);
    inside();
    append(tree_, ')' + label);
  }
  template <class Inside>
  void phrase(const std::string& label, const std::string& first, const Inside& inside) {
    constituent(label, [&] {
      leaf({first});
      inside();
    });
  }
  void leaf(const WordList& among) {
    append(words_, among[static_cast<std::size_t>(below(static_cast<int>(among.size())))]);
    append(tree_, kLeaf);
  }
  static void append(std::string& line, const std::string& word) {
    if (!line.empty()) line += ' ';
    line += word;
  }
  int below(int n) {
    return static_cast<int>(random_.below(drawn_++, static_cast<std::uint64_t>(n)));
  }

  RandomStream random_;
  std::uint64_t drawn_ = 0;
  std::string words_, tree_;
};

bool is_too_long(const ParsedSentence& sentence) {
  const std::size_t longest = sentence.depth > kDeepestTraining ? kLongest : kLongestTraining;
  return words(sentence.words).size() > longest;
}

}  // namespace

ParsedSentence draw_sentence(int depth, std::uint64_t example, std::uint64_t attempt) {
  Writer writer(RandomStream{example, mix(hash("bracketing"), attempt)});
  writer.sentence(depth);
  return writer.done(depth);
}

Split split_of(const ParsedSentence& sentence) {
  if (sentence.depth > kDeepestTraining) return Split::longer;
  const std::uint64_t part = hash(sentence.words) % 20;
  return part == 0 ? Split::validation : part == 1 ? Split::test : Split::training;
}

ParsedSentence training_sentence(std::uint64_t seed, std::uint64_t index) {
  const std::uint64_t example = mix(mix(hash("bracketing"), seed), index);
  const std::uint64_t sixth = RandomStream{example, hash("depth")}.below(0, 6);
  const int depth = sixth == 0 ? 0 : sixth < 3 ? 1 : 2;
  for (std::uint64_t attempt = 0;; ++attempt) {
    ParsedSentence sentence = draw_sentence(depth, example, attempt);
    if (!is_too_long(sentence) && split_of(sentence) == Split::training) return sentence;
  }
}

std::vector<ParsedSentence> held_out_sentences(Split split) {
  ATTN_CHECK(split != Split::training, "the training split has no fixed set of sentences");
  const bool longer = split == Split::longer;
  const std::uint64_t seed = hash(split == Split::validation ? "bracketing validation"
                                  : longer                   ? "bracketing longer"
                                                             : "bracketing test");
  const int shallowest = longer ? kDeepestTraining + 1 : 0;
  const int depths = longer ? kDeepest - kDeepestTraining : kDeepestTraining + 1;
  std::vector<ParsedSentence> chosen;
  std::unordered_set<std::string> seen;
  for (int i = 0; i < (longer ? 200 : 1000); ++i) {
    const std::uint64_t example = mix(seed, static_cast<std::uint64_t>(i));
    ParsedSentence sentence;
    std::uint64_t attempt = 0;
    do {
      sentence = draw_sentence(shallowest + i % depths, example, attempt++);
    } while (is_too_long(sentence) || split_of(sentence) != split ||
             !seen.insert(sentence.words).second);
    chosen.push_back(std::move(sentence));
  }
  return chosen;
}

}  // namespace bracketing

Task bracketing_task() {
  using namespace bracketing;
  Vocabulary vocabulary;
  for (const WordList& words : {kDeterminers, kAdjectives, kNouns, kIntransitive, kTransitive,
                                kOfSaying, WordList{"of", "with", "that", kLeaf}}) {
    for (const std::string& word : words) vocabulary.add(word, "the grammar");
  }
  for (const std::string& label : kLabels) {
    vocabulary.add('(' + label, "the grammar");
    vocabulary.add(')' + label, "the grammar");
  }
  Task task;
  task.name = "bracketing";
  task.tokenizer = vocabulary;
  task.training_example = [](std::uint64_t seed, std::uint64_t index) {
    const ParsedSentence sentence = training_sentence(seed, index);
    return TextPair{sentence.words, sentence.tree};
  };
  task.held_out = [](Split split) {
    std::vector<TextPair> pairs;
    for (const ParsedSentence& s : held_out_sentences(split)) pairs.push_back({s.words, s.tree});
    return pairs;
  };
  return task;
}

}  // namespace attn
