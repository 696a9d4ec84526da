// Tasks by name, and the batches of any of them.
#include "tasks/task.h"

#include <algorithm>

#include "base/check.h"
#include "tasks/letters.h"

namespace attn {

Task find_task(std::string_view name) {
  if (name == "copy") return copy_task();
  if (name == "reverse") return reverse_task();
  fail("there is no task \"", name, "\"; there are: copy, reverse");
}

Batch task_batch(const Task& task, std::uint64_t seed, std::uint64_t index,
                 Index tokens_per_batch) {
  // Batch i has the examples from i · 2^32 on. A batch of fewer than 2^32 tokens has fewer than
  // 2^32 sentences, so it never reaches the examples of the next.
  constexpr std::uint64_t kExamplesPerBatch = std::uint64_t{1} << 32;
  ATTN_CHECK(index < kExamplesPerBatch, "batch ", index, " of a task: there are only 2^32");
  ATTN_CHECK(
      tokens_per_batch > 0 && static_cast<std::uint64_t>(tokens_per_batch) < kExamplesPerBatch,
      "a batch of a task has 1 to 2^32 - 1 tokens, not ", tokens_per_batch);
  Batch batch;
  for (std::uint64_t example = index * kExamplesPerBatch;; ++example) {
    const TextPair lines = task.training_example(seed, example);
    const SentencePair pair = encode_pair(task.tokenizer, lines);
    const Index source = batch.source.tokens() + pair.source_tokens();
    const Index target = batch.target_input.tokens() + pair.target_tokens();
    if (batch.source.tokens() > 0 && std::max(source, target) > tokens_per_batch) return batch;
    batch.append(pair.source, pair.target);
  }
}

}  // namespace attn
