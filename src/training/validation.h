// How good a model is while it learns: its loss on held-out sentences and, of text, its BLEU.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/sequence_model.h"
#include "text/corpus.h"
#include "text/tokenizer.h"

namespace attn {

// Batch number `index` of an endless sequence, a function of the index alone.
using BatchSource = std::function<Batch(std::uint64_t index)>;

struct ValidationSet {
  std::vector<Batch> batches;    // may be empty
  std::vector<TextPair> sample;  // to translate; may be empty
  Tokenizer tokenizer;           // for the sample
  // A model without a mistake in `batches` is tried on this many fresh sentences, or until it errs.
  BatchSource fresh = {};
  Index most_fresh = 0;
};

struct Validation {
  LossSums sums;
  std::optional<double> bleu;  // 0 to 100, of the sample as decoded greedily
  Index flawless = 0;          // the fresh sentences in batches before the first with a mistake
};

// The loss over several batches, without dropout. between_batches may throw.
LossSums evaluate(
    const SequenceModel& model, const std::vector<Batch>& batches,
    const std::function<void()>& between_batches = [] {});

// Called between batches, and between steps of decoding the sample, between_batches may throw.
Validation validate(
    const SequenceModel& model, const ValidationSet& set,
    const std::function<void()>& between_batches = [] {});

}  // namespace attn
