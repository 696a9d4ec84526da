// Shuffled twice: pairs of equal lengths among themselves, then the batches.
#include "text/batch.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "base/random.h"

namespace attn {

static std::pair<Index, Index> lengths(const SentencePair& pair) {
  return {pair.source_tokens(), pair.target_tokens()};
}

// Where batches begin when pairs are taken in order, and the end of the last.
static std::vector<std::size_t> cut(const std::vector<SentencePair>& pairs,
                                    Index tokens_per_batch) {
  ATTN_CHECK(tokens_per_batch > 0, "a batch needs room for tokens, not ", tokens_per_batch);
  std::vector<std::size_t> cuts{0};
  Index source = 0, target = 0;  // tokens of the batch so far
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    ATTN_CHECK(!pairs[i].source.empty() && pairs[i].target.size() >= 2,
               "a sentence pair needs one source id and two target ids at least");
    source += pairs[i].source_tokens();
    target += pairs[i].target_tokens();
    if (i == cuts.back() || std::max(source, target) <= tokens_per_batch) continue;
    cuts.push_back(i);
    source = pairs[i].source_tokens();
    target = pairs[i].target_tokens();
  }
  if (!pairs.empty()) cuts.push_back(pairs.size());
  return cuts;
}

std::vector<Batch> batches_in_order(const std::vector<SentencePair>& pairs,
                                    Index tokens_per_batch) {
  const std::vector<std::size_t> cuts = cut(pairs, tokens_per_batch);
  std::vector<Batch> batches(cuts.size() - 1);
  for (std::size_t b = 0; b < batches.size(); ++b) {
    for (std::size_t i = cuts[b]; i < cuts[b + 1]; ++i) {
      batches[b].append(pairs[i].source, pairs[i].target);
    }
  }
  return batches;
}

CorpusBatches::CorpusBatches(std::vector<SentencePair> pairs, Index tokens_per_batch,
                             std::uint64_t seed)
    : pairs_(std::move(pairs)), seed_(seed) {
  ATTN_CHECK(!pairs_.empty(), "there are no sentence pairs to make batches of");
  std::stable_sort(pairs_.begin(), pairs_.end(),
                   [](const auto& a, const auto& b) { return lengths(a) < lengths(b); });
  cuts_ = cut(pairs_, tokens_per_batch);
  plan(0);
}

void CorpusBatches::plan(std::uint64_t epoch) {
  epoch_ = epoch;
  const RandomStream pair_random{seed_, mix(hash("order of pairs"), epoch)};
  pair_order_.resize(pairs_.size());
  std::iota(pair_order_.begin(), pair_order_.end(), std::size_t{0});
  for (std::size_t begin = 0, end = 0; begin < pairs_.size(); begin = end) {
    while (end < pairs_.size() && lengths(pairs_[end]) == lengths(pairs_[begin])) ++end;
    shuffle(pair_order_, begin, end, pair_random);
  }
  const RandomStream batch_random{seed_, mix(hash("order of batches"), epoch)};
  batch_order_.resize(cuts_.size() - 1);
  std::iota(batch_order_.begin(), batch_order_.end(), std::size_t{0});
  shuffle(batch_order_, 0, batch_order_.size(), batch_random);
}

Batch CorpusBatches::at(std::uint64_t index) {
  const std::uint64_t epoch = index / batches_per_epoch();
  if (epoch != epoch_) plan(epoch);
  const std::size_t b = batch_order_[index % batches_per_epoch()];
  Batch batch;
  for (std::size_t place = cuts_[b]; place < cuts_[b + 1]; ++place) {
    const SentencePair& pair = pairs_[pair_order_[place]];
    batch.append(pair.source, pair.target);
  }
  return batch;
}

}  // namespace attn
