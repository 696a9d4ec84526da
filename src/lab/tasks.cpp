// What the core has not; the rest is asked of the core.
#include "lab/tasks.h"

#include "lab/language/language_data.h"

namespace attn {

TrainingData any_training_data(TrainingSettings& settings, Index longest_sentence,
                               const Tokenizer* tokenizer, const NewTokenizer& fresh) {
  if (settings.task == "language") return language_data(settings, tokenizer, fresh);
  return training_data(settings, longest_sentence, tokenizer, fresh);
}

}  // namespace attn
