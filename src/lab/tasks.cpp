// What the core has not; the rest is asked of the core.
#include "lab/tasks.h"

#include "lab/language/language_data.h"

namespace attn {

TrainingData any_training_data(TrainingSettings& settings, Index longest_sentence,
                               const TokenizerPlan& tokenizer) {
  if (settings.task == "language") return language_data(settings, tokenizer);
  return training_data(settings, longest_sentence, tokenizer);
}

}  // namespace attn
