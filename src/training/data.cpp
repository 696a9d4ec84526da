#include "training/data.h"

#include <algorithm>
#include <cstdint>

#include "base/check.h"
#include "tasks/task.h"
#include "text/batch.h"

namespace attn {

static TrainingData task_data(const TrainingSettings& settings) {
  const Task task = find_task(settings.task);
  const std::vector<TextPair> pairs = task.validation_set();
  TrainingData data;
  data.tokenizer = task.tokenizer;
  data.batches = [task, settings](std::uint64_t index) {
    return task_batch(task, settings.seed, index, settings.batch_tokens);
  };
  const Corpus valid = encode_corpus(pairs, task.tokenizer);
  data.validation.batches = batches_in_order(valid.pairs, settings.batch_tokens);
  data.batch_tokens = settings.batch_tokens;
  data.longest_sentence = longest_sentence_of(valid.pairs);  // the lengths are those of training
  data.description = text(task.name, ", for example ", pairs[1].source, " → ", pairs[1].target);
  return data;
}

TrainingData training_data(TrainingSettings& settings, Index longest_sentence,
                           const Tokenizer* tokenizer, const NewTokenizer& fresh) {
  if (settings.task != "text") return task_data(settings);
  return text_data(settings, longest_sentence, tokenizer, fresh);
}

}  // namespace attn
