// The time of a step depends on the lengths of its sentences, not on their words, which are random.
#include "lab/benchmark/workload.h"

#include <cstdint>
#include <vector>

#include "base/random.h"
#include "text/vocabulary.h"

namespace attn {

static std::vector<int> random_ids(Index count, Index vocabulary, Index number) {
  const RandomStream random{1, static_cast<std::uint64_t>(number)};
  const auto ordinary = static_cast<std::uint64_t>(vocabulary - kSpecialTokens);
  std::vector<int> ids;
  for (Index i = 0; i < count; ++i) {
    ids.push_back(kSpecialTokens +
                  static_cast<int>(random.below(static_cast<std::uint64_t>(i), ordinary)));
  }
  return ids;
}

Index usual_vocabulary(const std::string& preset_name) {
  return preset_name == "tiny" ? 29 : preset_name == "small" ? 8000 : 37000;
}

Batch random_batch(Index vocabulary, Index sentences, Index source, Index target) {
  Batch batch;
  for (Index b = 0; b < sentences; ++b) {
    std::vector<int> sentence = random_ids(source - 1, vocabulary, 2 * b);
    sentence.push_back(kEos);
    batch.append(sentence, random_ids(target + 1, vocabulary, 2 * b + 1));
  }
  return batch;
}

}  // namespace attn
