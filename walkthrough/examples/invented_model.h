// The invented model of chapter 6.1: which words may follow a beginning of a translation of "Jane
// visite l'Afrique en septembre", how probable each of them is, and what beam search does with it.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "decoding/beam_search.h"
#include "support/stub_model.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace attn::invented {

struct Next {
  std::string word;
  double p;
};

// By the words of the beginning. After any other beginning the output ends.
inline std::map<std::string, std::vector<Next>> tree() {
  return {
      {"", {{"Jane", 0.9}, {"In", 0.1}}},
      {"In", {{"September", 0.8}, {"Africa", 0.2}}},
      {"Jane", {{"is", 0.5}, {"visits", 0.4}, {"goes", 0.1}}},
      {"Jane is", {{"visiting", 0.4}, {"going", 0.35}, {"in", 0.25}}},
      {"Jane is visiting", {{"Africa", 0.8}, {"the", 0.2}}},
      {"Jane is visiting Africa", {{"<eos>", 0.7}, {"in", 0.3}}},
      {"Jane visits", {{"Africa", 0.9}, {"the", 0.1}}},
      {"Jane visits Africa", {{"<eos>", 0.5}, {"in", 0.48}, {"and", 0.02}}},
      {"Jane visits Africa in", {{"September", 0.95}, {"autumn", 0.05}}},
      {"Jane visits Africa in September", {{"<eos>", 0.95}, {"and", 0.05}}},
      {"Jane visits Africa in autumn", {{"<eos>", 0.9}, {"and", 0.1}}},
  };
}

inline std::string joined(const std::string& beginning, const std::string& word) {
  return beginning.empty() ? word : beginning + ' ' + word;
}

// P of an output or of its beginning: the product of its tokens' probabilities.
inline double probability(const std::string& output) {
  double p = 1;
  std::string beginning;
  const auto all = tree();
  for (const std::string& word : split(output, ' ')) {
    for (const Next& next : all.at(beginning)) {
      if (next.word == word) p *= next.p;
    }
    beginning = joined(beginning, word);
  }
  return p;
}

// What the library's beam search does with the tree.
struct Search {
  std::vector<std::vector<std::string>> live;  // the hypotheses at the beginning of each step
  std::vector<std::string> found;              // best first, without <eos>
};

// The longest output has `longest` tokens, <eos> among them.
inline Search search(Index beam, double alpha, Index longest, Index n_best = 1) {
  const auto all = tree();
  Tokenizer words;
  for (const auto& [beginning, nexts] : all) {
    for (const Next& next : nexts) {
      if (next.word != "<eos>" && words.id(next.word) == kUnknown) words.add(next.word, "the tree");
    }
  }
  const auto V = static_cast<std::size_t>(words.size());
  Search result;
  const test::StubModel model(words.size(), [&](const test::Ids&, const test::Ids& target) {
    const std::string beginning = words.decode(target);
    result.live.resize(target.size() + 1);
    result.live.back().push_back(beginning);
    std::vector<Real> logits(V, -std::numeric_limits<Real>::infinity());
    const auto found = all.find(beginning);
    if (found == all.end()) {
      logits[kEos] = 0;
      return logits;
    }
    for (const Next& next : found->second) {
      const int id = next.word == "<eos>" ? kEos : words.id(next.word);
      logits[id] = static_cast<Real>(std::log(next.p));
    }
    return logits;
  });

  // The source has five words; what they are, the stub does not ask.
  const PackedIds source = packed({kUnknown, kUnknown, kUnknown, kUnknown, kUnknown, kEos});
  const auto found = beam_search(model, source, {beam, alpha, n_best, longest - 6});
  for (const Translation& translation : found[0]) {
    result.found.push_back(words.decode(translation.tokens));
  }
  return result;
}

}  // namespace attn::invented
