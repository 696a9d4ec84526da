// What the core has not, by name; the rest is asked of the core.
#include "lab/tasks.h"

#include "base/check.h"
#include "lab/bracketing/bracketing.h"
#include "lab/language/language_data.h"
#include "lab/phrasebook/phrasebook.h"

namespace attn {

Task find_any_task(std::string_view name) {
  if (name == "phrasebook") return phrasebook_task();
  if (name == "bracketing") return bracketing_task();
  return find_task(name);
}

TrainingData any_training_data(TrainingSettings& settings, Index longest_sentence,
                               const Tokenizer* tokenizer, const NewTokenizer& fresh) {
  if (settings.task == "language") return language_data(settings, tokenizer, fresh);
  if (settings.task == "text") {
    return training_data(settings, longest_sentence, tokenizer, fresh);
  }
  return task_data(find_any_task(settings.task), settings);
}

}  // namespace attn
