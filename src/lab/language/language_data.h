// The data of a language model: plain text, in windows (lab/language/windows.h).
#pragma once

#include <string>
#include <vector>

#include "training/data.h"

namespace attn {

// As training_data says. Without a file to validate with, the last of every hold_out parts of each
// tenth of the text is held out: a book ends otherwise than it begins, so the end of all of it
// would be another text. Throws Error if what is left is shorter than settings.context tokens.
TrainingData language_data(TrainingSettings& settings, const TokenizerPlan& tokenizer);
// The same of lines that are at hand; settings.text names them in messages.
TrainingData language_data_of(TrainingSettings& settings, std::vector<std::string> lines,
                              const TokenizerPlan& tokenizer);

}  // namespace attn
