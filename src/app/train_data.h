// What a run learns from: the batches of a task that the program makes itself, or of two files.
#pragma once

#include <string>
#include <vector>

#include "model/config.h"
#include "text/vocabulary.h"
#include "training/trainer.h"

namespace attn::app {

struct TrainingData {
  Vocabulary vocabulary;
  BatchSource batches;
  std::vector<Batch> validation;  // may be empty
  std::string description;        // for the user, one line
};

// vocabulary: that of the run, if it is resumed; null for a new one, which for text has at most
// `maximum_vocabulary` tokens. Left out are pairs of lines longer than a batch of training, than
// kLongestSentence, or than learned positions reach. Throws Error for files that are no parallel
// text.
TrainingData training_data(const TrainingSettings& settings, const Config& config,
                           const Vocabulary* vocabulary, Index maximum_vocabulary);

}  // namespace attn::app
