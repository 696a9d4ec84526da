// Every task, copy, reverse and text among them.
#pragma once

#include <string_view>

#include "tasks/task.h"
#include "training/data.h"

namespace attn {

// As find_task: knows copy, reverse, phrasebook and bracketing.
Task find_any_task(std::string_view name);

// As training_data: for these, text and language.
TrainingData any_training_data(TrainingSettings& settings, Index longest_sentence,
                               const Tokenizer* tokenizer, const NewTokenizer& fresh);

}  // namespace attn
