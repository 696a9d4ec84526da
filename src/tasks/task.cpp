// Tasks by name, and the batches of any of them.
#include "tasks/task.h"

#include <utility>

#include "base/check.h"
#include "tasks/letters.h"
#include "text/batch.h"

namespace attn {

// Tasks by name, in the order in which they became known.
static std::vector<std::pair<std::string, std::function<Task()>>>& known() {
  static std::vector<std::pair<std::string, std::function<Task()>>> tasks{
      {"copy", copy_task}, {"reverse", reverse_task}};
  return tasks;
}

void add_task(const std::string& name, std::function<Task()> make) {
  known().emplace_back(name, std::move(make));
}

std::vector<std::string> task_names() {
  std::vector<std::string> names;
  for (const auto& task : known()) names.push_back(task.first);
  return names;
}

Task find_task(std::string_view name) {
  for (const auto& [known_name, make] : known()) {
    if (known_name == name) return make();
  }
  fail("there is no task \"", name, "\"; there are: ", comma_list(task_names()));
}

Batch task_batch(const Task& task, std::uint64_t seed, std::uint64_t index,
                 Index tokens_per_batch) {
  // Batch i has the examples from i · 2^32 on. A batch of fewer than 2^32 tokens has fewer than
  // 2^32 sentences, so it never reaches the examples of the next.
  constexpr std::uint64_t kExamplesPerBatch = std::uint64_t{1} << 32;
  ATTN_CHECK(index < kExamplesPerBatch, "batch ", index, " of a task: there are only 2^32");
  ATTN_CHECK(static_cast<std::uint64_t>(tokens_per_batch) < kExamplesPerBatch,
             "a batch of a task has 1 to 2^32 - 1 tokens, not ", tokens_per_batch);
  TokenBudget budget(tokens_per_batch);
  Batch batch;
  for (std::uint64_t example = index * kExamplesPerBatch;; ++example) {
    const TextPair lines = task.training_example(seed, example);
    const SentencePair pair = encode_pair(task.tokenizer, lines);
    if (!budget.take(pair)) return batch;
    batch.append(pair.source, pair.target);
  }
}

}  // namespace attn
