// Plain text for a language model: one stream of tokens, of which the model reads a window at a
// time. A window of N tokens asks N questions: what comes after the first, after the first two, …
//
//     stream    T h e _ c a t <eos> A _ d o g <eos>
//     window        e _ c a t <eos>                      what the model reads, N = 6
//                     _ c a t <eos> A                    what it is to predict
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/batch.h"

namespace attn {

// An endless sequence of training batches, each a function of (stream, context, budget, seed,
// index) alone, as in text/batch.h. A window is a sentence without a source. An epoch cuts the
// stream into windows of `context` tokens, and shuffles them. It begins to cut at random, so that a
// token is not always predicted from the same few before it, and as a ring, so that the number of
// windows stays the same. Fewer tokens than a window are left over, others in each epoch.
class WindowBatches {
 public:
  // Throws Error if the stream is shorter than a window.
  WindowBatches(std::vector<int> stream, Index context, Index tokens_per_batch, std::uint64_t seed);

  Batch at(std::uint64_t index);
  std::uint64_t batches_per_epoch() const;
  // The tokens of a whole batch: as many windows as its budget allows, one at least.
  Index batch_tokens() const { return per_batch_ * context_; }

 private:
  void plan(std::uint64_t epoch);

  std::vector<int> stream_;
  Index context_;
  std::size_t per_batch_;  // windows
  std::uint64_t seed_;

  // The plan of the epoch that at() was last asked for.
  std::uint64_t epoch_ = 0;
  std::size_t begin_ = 0;           // of the first window
  std::vector<std::size_t> order_;  // of the windows
};

// For validation and evaluation: every token of the stream is predicted exactly once, the first of
// all from the end of a line. A window's first half is the second half of the one before, and only
// read, as a source is; so each token is predicted from at least half a window, or from all that
// there is.
std::vector<Batch> scored_windows(const std::vector<int>& stream, Index context,
                                  Index tokens_per_batch);

}  // namespace attn
