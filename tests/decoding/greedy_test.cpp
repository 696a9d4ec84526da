#include "decoding/greedy.h"

#include <doctest/doctest.h>

#include "support/small_models.h"
#include "text/vocabulary.h"

using namespace attn;
using namespace attn::test;

namespace {

// Decoding without a cache: the whole target so far through the model, again for each word.
std::vector<int> decode_plainly(const Transformer& model, const std::vector<int>& source,
                                Index max_extra) {
  std::vector<int> target{kBos};
  while (static_cast<Index>(target.size()) <= static_cast<Index>(source.size()) - 1 + max_extra) {
    Batch batch;
    std::vector<int> next = target;
    next.push_back(kEos);
    batch.append(source, next);
    const Tensor logits = model.logits(batch);
    const Real* last = logits.row(logits.rows() - 1);
    int best = 0;
    for (int v = 1; v < logits.cols(); ++v) {
      if (v != kBos && last[v] > last[best]) best = v;
    }
    if (best == kEos) break;
    target.push_back(best);
  }
  target.erase(target.begin());
  return target;
}

PackedIds many_sources() {
  PackedIds source;
  for (int b = 0; b < 12; ++b) {
    std::vector<int> sentence;
    for (int t = 0; t < b % 5; ++t) sentence.push_back(3 + (b * 7 + t * 3) % 8);
    sentence.push_back(kEos);
    source.append(sentence);
  }
  return source;
}

}  // namespace

TEST_SUITE("6.1 decoding") {
  TEST_CASE("greedy decoding with cached keys is decoding without, alone or among others") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      TransformerConfig config = small.config;
      config.max_positions = 40;
      for (const std::uint64_t seed : {1u, 2u}) {
        const Transformer model = random_model(config, seed);
        const PackedIds source = many_sources();
        // 25 words are past the first size of the cache.
        const auto outputs = decode_greedily(model, source, {1, 0, 1, 25});
        REQUIRE(outputs.size() == 12);
        for (std::size_t b = 0; b < outputs.size(); ++b) {
          const PackedIds alone = packed(sentence(source, b));
          CHECK(outputs[b] == decode_plainly(model, sentence(source, b), 25));
          CHECK(outputs[b] == decode_greedily(model, alone, {1, 0, 1, 25}).front());
        }
      }
    }
  }
}
