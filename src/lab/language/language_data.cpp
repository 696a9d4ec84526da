// Lines → what is trained on and what is validated with → streams of tokens → windows.
#include "lab/language/language_data.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/random.h"
#include "lab/language/windows.h"
#include "text/lines.h"

namespace attn {

namespace {

using Lines = std::vector<std::string>;

Lines read_known_lines(const std::string& path, std::string& known) {
  Lines lines = read_plain_text(path);
  std::uint64_t hashes = 0;
  for (const std::string& line : lines) hashes = mix(hashes, hash(line));
  check_fingerprint(std::to_string(hashes), path, known);
  return lines;
}

// A line that is longer than any paragraph is cut into parts of about this size, at a space or, if
// there is none, between two characters.
Lines cut_lines(const Lines& lines, std::size_t size) {
  constexpr std::size_t kLongestParagraph = 10000;
  Lines parts;
  for (const std::string& line : lines) {
    std::size_t begin = 0;
    while (line.size() > kLongestParagraph && line.size() - begin > size) {
      std::size_t end = line.rfind(' ', begin + size);
      const bool space = end != line.npos && end > begin;
      if (!space) end = begin + size;
      while ((static_cast<unsigned char>(line[end]) & 0xC0) == 0x80) --end;
      parts.push_back(line.substr(begin, end - begin));
      begin = end + (space ? 1 : 0);
    }
    parts.push_back(line.substr(begin));
  }
  return parts;
}

// Where lines begin decides, so that a line is on one side.
void split_lines(Lines all, Index one_in, Lines& trained, Lines& held_out) {
  double total = 0, begin = 0;  // in bytes
  for (const std::string& line : all) total += to_double(line.size() + 1);
  if (one_in > 0) {
    const double part = std::max(100.0, total / (10 * to_double(one_in)));
    all = cut_lines(all, static_cast<std::size_t>(part));
  }
  for (std::string& line : all) {
    const double left = total - std::fmod(10 * begin, total);  // of its tenth, in tenths of a byte
    begin += to_double(line.size() + 1);
    (one_in > 0 && left * to_double(one_in) <= total ? held_out : trained)
        .push_back(std::move(line));
  }
}

}  // namespace

TrainingData language_data(TrainingSettings& s, const TokenizerPlan& tokenizer) {
  return language_data_of(s, read_known_lines(s.text, s.fingerprint), tokenizer);
}

TrainingData language_data_of(TrainingSettings& s, Lines all, const TokenizerPlan& plan) {
  TrainingData data;
  for (const std::string& line : all) data.report.look_alikes.add(line);
  Lines trained, validated;
  split_lines(std::move(all), s.valid_text.empty() ? s.hold_out : 0, trained, validated);
  if (!s.valid_text.empty()) {
    validated = read_known_lines(s.valid_text, s.valid_fingerprint);
    for (const std::string& line : validated) data.report.look_alikes.add(line);
  }
  ATTN_CHECK(!validated.empty() || s.patience == 0, s.text,
             ": nothing is held out, and `patience` ",
             "requires text to validate with; give a smaller `hold_out`, or `valid_text`");

  if (plan.known) {
    data.tokenizer = *plan.known;
  } else {
    UnitCounts counts;
    for (const std::string& line : trained) count_units(plan.units, line, counts);
    data.tokenizer = learn_tokenizer(plan.units, counts, plan.size);
  }
  std::vector<int> stream = text_stream(data.tokenizer, trained);
  const std::vector<int> valid = text_stream(data.tokenizer, validated);
  data.validation.tokenizer = data.tokenizer;
  data.validation.batches = scored_windows(valid, s.context, s.batch_tokens);
  data.report.files = s.text;
  data.report.trained = data.report.tokens = stream.size();
  data.report.validated = valid.size();
  data.report.unknown = std::count(stream.begin(), stream.end(), kUnknown);
  ATTN_CHECK(data.report.trained >= s.context, s.text, ": ", counted(data.report.trained, "token"),
             " to learn from, fewer than a window of ", s.context,
             "; give a smaller `context`, or a longer text");
  const auto batches =
      std::make_shared<WindowBatches>(std::move(stream), s.context, s.batch_tokens, s.seed);
  data.batch_tokens = batches->batch_tokens();
  data.longest_sentence = s.context / 2;  // the sides of a pair share a window
  data.batches = [batches](std::uint64_t index) { return batches->at(index); };
  return data;
}

TrainingData any_training_data(TrainingSettings& settings, Index longest_sentence,
                               const TokenizerPlan& tokenizer) {
  if (settings.task == "language") return language_data(settings, tokenizer);
  return training_data(settings, longest_sentence, tokenizer);
}

}  // namespace attn
