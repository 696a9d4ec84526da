// Sentence pairs as packed batches. A batch is as many pairs as a budget of tokens allows: neither
// the source tokens nor the target tokens of a batch exceed it (§5.1: "approximately 25000 source
// tokens and 25000 target tokens"). A pair that exceeds it by itself is a batch by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "base/real.h"
#include "model/batch.h"
#include "text/corpus.h"

namespace attn {

// A budget that keeps the threads busy, for batches whose result does not depend on it.
constexpr Index kTokensAtOnce = 4096;

// Each pair once, in the given order: for validation and evaluation.
std::vector<Batch> batches_in_order(const std::vector<SentencePair>& pairs, Index tokens_per_batch);

// An endless sequence of training batches. Batch i is a function of (pairs, budget, seed, i) alone,
// so a resumed run continues with the batch that it would have seen. An epoch has each pair once:
// sorted by (source length, target length), so that similar lengths share a batch (§5.1), shuffled
// among equal lengths, and cut where the budget is full; batches come in random order. Equal
// lengths cost equally, so the cuts never change and index / batches_per_epoch() is the epoch.
class CorpusBatches {
 public:
  // Throws Error if there are no pairs, the budget is not positive, a source has no ids or a target
  // fewer than two.
  CorpusBatches(std::vector<SentencePair> pairs, Index tokens_per_batch, std::uint64_t seed);

  Batch at(std::uint64_t index);
  std::uint64_t batches_per_epoch() const { return cuts_.size() - 1; }

 private:
  void plan(std::uint64_t epoch);

  std::vector<SentencePair> pairs_;  // sorted by lengths
  std::vector<std::size_t> cuts_;    // batch b of the sorted pairs is cuts_[b] to cuts_[b + 1] - 1
  std::uint64_t seed_;

  // The plan of the epoch that at() was last asked for.
  std::uint64_t epoch_ = 0;
  std::vector<std::size_t> pair_order_;   // which pair is at a sorted place
  std::vector<std::size_t> batch_order_;  // the order of the batches
};

}  // namespace attn
