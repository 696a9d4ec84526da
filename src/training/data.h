// What a run learns from: the batches of a task that the program makes itself, or of two files.
#pragma once

#include <string>
#include <vector>

#include "text/vocabulary.h"
#include "training/trainer.h"

namespace attn {

struct TrainingData {
  Vocabulary vocabulary;
  BatchSource batches;
  std::vector<Batch> validation;  // may be empty
  std::string description;        // for the user, one line
  // At most: the tokens of a side of a batch, and those of a sentence.
  Index batch_tokens = 0, longest_sentence = 0;
};

// vocabulary: that of the run, if it is resumed; null for a new one, which for text has at most
// `maximum_vocabulary` tokens. Left out are pairs of lines longer than a batch of training, than
// kLongestSentence, or than the longest sentence of the model. Throws Error for files that are not
// parallel text, and for a file whose fingerprint is not that of the settings, if they have one; if
// they have none, it is put there.
TrainingData training_data(TrainingSettings& settings, Index longest_sentence,
                           const Vocabulary* vocabulary, Index maximum_vocabulary);

}  // namespace attn
