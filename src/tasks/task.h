// Tasks: problems whose data the program makes itself, so that a model can be trained and judged
// without a corpus. A task is a struct of functions; find_task knows copy and reverse.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/real.h"
#include "model/batch.h"
#include "text/corpus.h"
#include "text/tokenizer.h"

namespace attn {

// What a source is for, by each task's rule. Those of `longer` are longer than any in training.
enum class Split { training, validation, test, longer };

struct Task {
  std::string name;
  Tokenizer tokenizer;
  // Example `index` of an endless sequence, a function of (seed, index) alone; never held out.
  std::function<TextPair(std::uint64_t seed, std::uint64_t index)> training_example;
  // The pairs of another split, the same whatever the seed of a run. Throws Error for training.
  std::function<std::vector<TextPair>(Split)> held_out;

  std::vector<TextPair> validation_set() const { return held_out(Split::validation); }
  std::vector<TextPair> test_set() const { return held_out(Split::test); }
  std::vector<TextPair> longer_test_set() const { return held_out(Split::longer); }
};

// Throws Error, naming the tasks there are, if there is none of that name.
Task find_task(std::string_view name);

// Training batch `index` of a run: a function of (task, seed, index, budget) alone. Examples are
// appended until the next would not fit the budget (text/batch.h); no example is in two batches.
// Throws Error if the index is 2^32 or more, or the budget is not from 1 to 2^32 - 1.
Batch task_batch(const Task& task, std::uint64_t seed, std::uint64_t index, Index tokens_per_batch);

}  // namespace attn
