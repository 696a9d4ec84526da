#include "app/task_report.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "metrics/exact_match.h"
#include "terminal/console.h"
#include "text/lines.h"

namespace attn::app {

namespace {

std::size_t source_words(const TextPair& pair) {
  return words(pair.source).size();
}

bool is_shorter(const TextPair& a, const TextPair& b) {
  return source_words(a) < source_words(b);
}

void put_score(const std::vector<TextPair>& pairs, Index right, const char* what) {
  const auto [shortest, longest] = std::minmax_element(pairs.begin(), pairs.end(), is_shorter);
  const Index total = static_cast<Index>(pairs.size());
  put(text("  ", right_aligned(percent(right, total), 7), "  ", right_aligned(grouped(right), 5),
           " of ", right_aligned(grouped(total), 5), "  ", what, ", ", source_words(*shortest),
           " to ", source_words(*longest), " words\n"));
}

// With learned positions a model cannot even read what is longer than its table.
void put_longer(const SequenceModel& model, const Task& task) {
  const std::vector<TextPair> longer = task.longer_test_set();
  const auto longest = std::max_element(longer.begin(), longer.end(), is_shorter);
  const Index needed = static_cast<Index>(source_words(*longest)) + 1;
  if (model.longest_sentence() < needed) {
    put(text("  longer ones need ", needed, " positions, the model has ", model.longest_sentence(),
             "\n"));
    return;
  }
  put_score(longer, exact_matches(model, task.tokenizer, longer).count,
            "longer than any in training");
}

void put_example(const TextPair& pair, const std::string& output, bool right, std::size_t width) {
  put(text(right ? "  ✓ " : "  ✗ ", padded(pair.source, width), " → ", output, "\n"));
  if (!right) put(text("    ", right_aligned("instead of", width), "   ", pair.target, "\n"));
}

}  // namespace

void report_task(const SequenceModel& model, const Task& task) {
  const std::vector<TextPair> test = task.test_set();
  const ExactMatches answers = exact_matches(model, task.tokenizer, test);
  put(text(task.name, ": sequences that come out exactly right\n"));
  put_score(test, answers.count, "never seen in training");
  put_longer(model, task);

  // Four short ones, whatever came of them, and the first mistakes among the others.
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < test.size() && shown.size() < 4; i += 3) shown.push_back(i);
  std::size_t mistakes = 0;
  for (std::size_t i = 0; i < test.size() && mistakes < 2; ++i) {
    if (answers.matches[i] || std::find(shown.begin(), shown.end(), i) != shown.end()) continue;
    shown.push_back(i);
    ++mistakes;
  }
  std::size_t width = std::string_view("instead of").size();
  for (const std::size_t i : shown) width = std::max(width, display_width(test[i].source));
  put("\n");
  for (const std::size_t i : shown)
    put_example(test[i], answers.outputs[i], answers.matches[i], width);
}

}  // namespace attn::app
