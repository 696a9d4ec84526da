// Sequences that come out exactly right are counted; a few are shown, mistakes among them.
#include "app/task_report.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/printing.h"
#include "metrics/exact_match.h"
#include "text/lines.h"

namespace attn {

namespace {

std::size_t source_words(const TextPair& pair) {
  return words(pair.source).size();
}

bool is_shorter(const TextPair& a, const TextPair& b) {
  return source_words(a) < source_words(b);
}

std::string score(const std::vector<TextPair>& pairs, Index right, const char* what) {
  const auto [shortest, longest] = std::minmax_element(pairs.begin(), pairs.end(), is_shorter);
  const Index total = static_cast<Index>(pairs.size());
  return text("  ", right_aligned(percent(right, total), 7), "  ", right_aligned(grouped(right), 5),
              " of ", right_aligned(grouped(total), 5), "  ", what, ", ", source_words(*shortest),
              " to ", source_words(*longest), " words\n");
}

// With learned positions a model cannot even read what is longer than its table.
std::string score_of_longer(const SequenceModel& model, const Task& task) {
  const std::vector<TextPair> longer = task.longer_test_set();
  const auto longest = std::max_element(longer.begin(), longer.end(), is_shorter);
  const Index needed = static_cast<Index>(source_words(*longest)) + 1;
  if (model.facts.longest_sentence < needed) {
    return text("  longer ones need ", needed, " positions, the model has ",
                model.facts.longest_sentence, "\n");
  }
  return score(longer, exact_matches(model, task.tokenizer, longer).count,
               "longer than any in training");
}

std::string example(const TextPair& pair, const std::string& output, bool right,
                    std::size_t width) {
  std::string lines =
      text(right ? "  ✓ " : "  ✗ ", padded(pair.source, width), " → ", output, "\n");
  if (!right) lines += text("    ", right_aligned("instead of", width), "   ", pair.target, "\n");
  return lines;
}

}  // namespace

std::string task_report(const SequenceModel& model, const Task& task) {
  const std::vector<TextPair> test = task.test_set();
  const ExactMatches answers = exact_matches(model, task.tokenizer, test);
  std::string report = text(task.name, ": sequences that come out exactly right\n") +
                       score(test, answers.count, "never seen in training") +
                       score_of_longer(model, task);

  // Four short ones, whatever came of them, and the first mistakes among the others.
  std::vector<std::size_t> shown;
  int mistakes = 0;
  for (std::size_t i = 0; i < test.size(); ++i) {
    const bool is_short = i < 12 && i % 3 == 0;
    if (is_short || (!answers.matches[i] && mistakes++ < 2)) shown.push_back(i);
  }
  std::size_t width = std::string_view("instead of").size();
  for (const std::size_t i : shown) width = std::max(width, display_width(test[i].source));
  report += '\n';
  for (const std::size_t i : shown) {
    report += example(test[i], answers.outputs[i], answers.matches[i], width);
  }
  return report;
}

}  // namespace attn
