// Every task, copy, reverse and text among them.
#pragma once

#include "training/data.h"

namespace attn {

// As training_data: for these, and language.
TrainingData any_training_data(TrainingSettings& settings, Index longest_sentence,
                               const TokenizerPlan& tokenizer);

}  // namespace attn
