#include "app/train_report.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "app/console.h"
#include "base/check.h"
#include "decoding/greedy.h"
#include "text/lines.h"

namespace attn::app {

namespace {

struct Answers {
  std::vector<TextPair> pairs;
  std::vector<std::string> outputs;
  std::size_t shortest = 0, longest = 0;  // words of a source
  Index right = 0;

  bool is_right(std::size_t i) const { return outputs[i] == pairs[i].target; }
};

Answers answer(const SequenceModel& model, const Task& task, std::vector<TextPair> pairs) {
  Answers answers;
  answers.pairs = std::move(pairs);
  PackedIds source;
  answers.shortest = words(answers.pairs[0].source).size();
  for (const TextPair& pair : answers.pairs) {
    source.append(encode_source(task.vocabulary, pair.source));
    answers.shortest = std::min(answers.shortest, words(pair.source).size());
    answers.longest = std::max(answers.longest, words(pair.source).size());
  }
  for (const std::vector<int>& ids : decode_greedily(model, source)) {
    answers.outputs.push_back(task.vocabulary.decode(ids));
  }
  for (std::size_t i = 0; i < answers.pairs.size(); ++i) answers.right += answers.is_right(i);
  return answers;
}

void put_score(const Answers& answers, const char* what) {
  const Index total = static_cast<Index>(answers.pairs.size());
  put(text("  ", right_aligned(percent(answers.right, total), 7), "  ",
           right_aligned(grouped(answers.right), 5), " of ", right_aligned(grouped(total), 5), "  ",
           what, ", ", answers.shortest, " to ", answers.longest, " words\n"));
}

void put_scores(const SequenceModel& model, const Task& task, const Answers& test) {
  put(text(task.name, ": sequences that come out exactly right\n"));
  put_score(test, "never seen in training");

  // With learned positions a model cannot even read what is longer than its table.
  const std::vector<TextPair> longer = task.longer_test_set();
  std::size_t needed = 0;
  for (const TextPair& pair : longer) needed = std::max(needed, words(pair.source).size() + 1);
  if (model.longest_sentence() < static_cast<Index>(needed)) {
    put(text("  longer ones need ", needed, " positions, the model has ", model.longest_sentence(),
             "\n"));
  } else {
    put_score(answer(model, task, longer), "longer than any in training");
  }
}

void put_example(const Answers& answers, std::size_t i, std::size_t width) {
  const TextPair& pair = answers.pairs[i];
  const bool right = answers.is_right(i);
  put(text(right ? "  ✓ " : "  ✗ ", padded(pair.source, width), " → ", answers.outputs[i], "\n"));
  if (!right) put(text("    ", right_aligned("instead of", width), "   ", pair.target, "\n"));
}

}  // namespace

void report_task(const SequenceModel& model, const Task& task) {
  const Answers test = answer(model, task, task.test_set());
  put_scores(model, task, test);

  // Four short ones, whatever came of them, and the first mistakes among the others.
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < test.pairs.size() && shown.size() < 4; i += 3) shown.push_back(i);
  std::size_t mistakes = 0;
  for (std::size_t i = 0; i < test.pairs.size() && mistakes < 2; ++i) {
    if (test.is_right(i) || std::find(shown.begin(), shown.end(), i) != shown.end()) continue;
    shown.push_back(i);
    ++mistakes;
  }
  std::size_t width = std::string_view("instead of").size();
  for (const std::size_t i : shown) width = std::max(width, display_width(test.pairs[i].source));
  put("\n");
  for (const std::size_t i : shown) put_example(test, i, width);
}

}  // namespace attn::app
