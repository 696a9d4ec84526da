// What a run learns from: the batches of a task that the program makes itself, or of a corpus.
#pragma once

#include <functional>
#include <string>

#include "tasks/task.h"
#include "text/tokenizer.h"
#include "training/trainer.h"
#include "training/validation.h"

namespace attn {

struct TrainingData {
  Tokenizer tokenizer;
  BatchSource batches;
  ValidationSet validation;
  std::string description;  // for the user, one line
  // At most: the tokens of a side of a batch, and those of a sentence.
  Index batch_tokens = 0, longest_sentence = 0;
};

// How a new run on text divides its lines; `size`: at most that many tokens in the vocabulary.
struct NewTokenizer {
  Units units = Units::byte_pairs;
  Index size = 0;
};

// The data of a task, or of a text: pairs too long for a batch, for the model or for translating
// are left out. tokenizer: that of a resumed run, or one that exists already; null for a new one,
// which for text is learned from all pairs that are not held out. longest_sentence: that of the
// model. Without files to validate with, all pairs whose source has a hash that settings.hold_out
// divides are held out: the same ones in every run, and no source is on both sides, however it is
// spaced. Of pairs from files to validate with, the description says how many have a source that is
// trained on. Throws Error for files that are not parallel text, and for a file whose fingerprint
// is not that of the settings, if they have one; if they have none, it is put there.
TrainingData training_data(TrainingSettings& settings, Index longest_sentence,
                           const Tokenizer* tokenizer, const NewTokenizer& fresh);

using MakeData = TrainingData(TrainingSettings& settings, Index longest_sentence,
                              const Tokenizer* tokenizer, const NewTokenizer& fresh);

// Of a file that a run needs again: the number of its lines and their hash, which says nothing
// about how they end. Throws Error, naming the file and its setting, unless this
// is what is known; if nothing is, it is set.
using LineOf = std::function<const std::string&(std::size_t n)>;
void check_fingerprint(std::size_t lines, const LineOf& line, const std::string& path,
                       const char* setting, std::string& known);

}  // namespace attn
