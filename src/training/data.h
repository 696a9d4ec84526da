// What a run learns from: the batches of a task that the program makes itself, or of a corpus.
#pragma once

#include <optional>
#include <string>

#include "text/corpus.h"
#include "text/tokenizer.h"
#include "training/training_settings.h"
#include "training/validation.h"

namespace attn {

// What was found in the files of a text.
struct DataReport {
  std::string files;                 // those that are trained on
  Index trained = 0, validated = 0;  // pairs to train and to validate with; of plain text, tokens
  LeftOut left_out, left_out_of_validated;
  LookAlikes look_alikes;         // among all lines, to train and to validate with
  Index tokens = 0, unknown = 0;  // trained on
};

struct TrainingData {
  Tokenizer tokenizer;
  BatchSource batches;
  ValidationSet validation;
  // At most: the tokens of a side of a batch, and those of a sentence.
  Index batch_tokens = 0, longest_sentence = 0;
  DataReport report;
};

// How a text is cut: by a known tokenizer, or one of at most `size` tokens from training data.
struct TokenizerPlan {
  std::optional<Tokenizer> known;
  Units units = Units::byte_pairs;
  Index size = 0;
};

// The data of a task or a text, without pairs too long for a batch, the model (longest_sentence) or
// translating. Without validation files, holds out pairs whose source has a hash that
// settings.hold_out divides, the same in every run. Throws Error for files that are not parallel
// text, or whose fingerprint is not that of the settings, which it sets if there is none.
TrainingData training_data(TrainingSettings& settings, Index longest_sentence,
                           const TokenizerPlan& tokenizer);

using MakeData = TrainingData(TrainingSettings& settings, Index longest_sentence,
                              const TokenizerPlan& tokenizer);

// Of files that a run needs again, the hash of their lines, which says nothing about how they end.
// Throws Error, naming the files, unless this is what is known; if nothing is, it is set.
void check_fingerprint(const std::string& found, const std::string& files, std::string& known);

}  // namespace attn
