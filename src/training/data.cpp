// A task makes its batches. A text is read: files → lines → tokens → what is trained on and what is
// validated with → batches.
#include "training/data.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/lines.h"

namespace attn {

namespace {

using Lines = std::vector<TextPair>;

// Whether a pair is held out, decided by its source's words, so that none is on both sides.
bool is_held_out(const TextPair& pair, Index one_in) {
  const std::uint64_t source = hash(joined(words(pair.source), " "));
  return one_in > 0 && source % static_cast<std::uint64_t>(one_in) == 0;
}

std::string fingerprint_of(const Lines& lines) {
  std::uint64_t all = 0;
  for (const TextPair& line : lines) all = mix(mix(all, hash(line.source)), hash(line.target));
  return std::to_string(all);
}

Tokenizer learned_tokenizer(const Lines& lines, const TokenizerPlan& plan) {
  UnitCounts counts;
  for (const TextPair& pair : lines) {
    count_units(plan.units, pair.source, counts);
    count_units(plan.units, pair.target, counts);
  }
  return learn_tokenizer(plan.units, counts, plan.size);
}

// Takes the pairs to validate with out of the lines.
Lines hold_out(Lines& lines, Index one_in) {
  const auto begin = std::stable_partition(
      lines.begin(), lines.end(), [&](const TextPair& pair) { return !is_held_out(pair, one_in); });
  Lines held_out(std::make_move_iterator(begin), std::make_move_iterator(lines.end()));
  lines.erase(begin, lines.end());
  return held_out;
}

// The pairs that are translated at each validation: those with the smallest hashes.
Lines sample_of(const Lines& lines, const Corpus& corpus) {
  constexpr std::size_t kMost = 200;
  std::vector<std::pair<std::uint64_t, std::size_t>> by_hash;
  for (const std::size_t n : corpus.lines) {
    by_hash.emplace_back(mix(hash(lines[n].source), hash(lines[n].target)), n);
  }
  std::sort(by_hash.begin(), by_hash.end());
  by_hash.resize(std::min(by_hash.size(), kMost));
  Lines sample;
  for (const auto& [unused, n] : by_hash) sample.push_back(lines[n]);
  return sample;
}

TrainingData text_data(TrainingSettings& s, Index longest_sentence, const TokenizerPlan& plan) {
  TrainingData data;
  DataReport& report = data.report;
  report.files = s.pairs.empty() ? s.source + " and " + s.target : s.pairs;
  Lines lines =
      s.pairs.empty() ? read_parallel_text(s.source, s.target) : read_pairs(s.pairs, s.swap);
  check_fingerprint(fingerprint_of(lines), report.files, s.fingerprint);
  std::string valid_files = report.files;
  Lines valid_lines;
  if (s.valid_source.empty()) {
    valid_lines = hold_out(lines, s.hold_out);
  } else {
    valid_files = s.valid_source + " and " + s.valid_target;
    valid_lines = read_parallel_text(s.valid_source, s.valid_target);
    check_fingerprint(fingerprint_of(valid_lines), valid_files, s.valid_fingerprint);
  }
  ATTN_CHECK(!lines.empty(), report.files, ": every pair is held out to validate with; ",
             "give a larger `hold_out`, or 0");
  data.tokenizer = plan.known ? *plan.known : learned_tokenizer(lines, plan);

  // Left out are sentences too long for a batch, or for translate.
  const Index longest = std::min({longest_sentence, kLongestSentence, s.batch_tokens});
  Corpus trained = encode_corpus(lines, data.tokenizer, longest, report.files + ": ");
  Corpus valid;
  if (!valid_lines.empty()) {
    valid = encode_corpus(valid_lines, data.tokenizer, longest, valid_files + ": ");
  }
  ATTN_CHECK(!valid.pairs.empty() || s.patience == 0, report.files, ": nothing is held out, and ",
             "`patience` requires pairs to validate with; give a smaller `hold_out`, or ",
             "`valid_source`");
  data.validation.tokenizer = data.tokenizer;
  data.validation.sample = sample_of(valid_lines, valid);
  data.validation.batches = batches_in_order(valid.pairs, s.batch_tokens);
  data.longest_sentence =
      std::max(longest_sentence_of(trained.pairs), longest_sentence_of(valid.pairs));

  Index source = 0, target = 0;
  for (const SentencePair& pair : trained.pairs) {
    source += pair.source_tokens();
    target += pair.target_tokens();
    report.unknown += std::count(pair.source.begin(), pair.source.end(), kUnknown) +
                      std::count(pair.target.begin(), pair.target.end(), kUnknown);
  }
  data.batch_tokens = std::min(s.batch_tokens, std::max(source, target));
  for (const Lines* all : {&lines, &valid_lines}) {
    for (const TextPair& line : *all) report.look_alikes.add(line.source + line.target);
  }
  report.trained = trained.pairs.size();
  report.validated = valid.pairs.size();
  report.left_out = trained.left_out;
  report.left_out_of_validated = valid.left_out;
  report.tokens = source + target - 2 * report.trained;  // without <eos> and <bos>
  const auto batches =
      std::make_shared<CorpusBatches>(std::move(trained.pairs), s.batch_tokens, s.seed);
  data.batches = [batches](std::uint64_t index) { return batches->at(index); };
  return data;
}

TrainingData task_data(const Task& task, const TrainingSettings& settings) {
  const Corpus valid = encode_corpus(task.validation_set(), task.tokenizer);
  TrainingData data;
  data.tokenizer = task.tokenizer;
  data.batches = [task, settings](std::uint64_t index) {
    return task_batch(task, settings.seed, index, settings.batch_tokens);
  };
  data.validation.batches = batches_in_order(valid.pairs, settings.batch_tokens);
  data.validation.fresh = [task, settings](std::uint64_t index) {
    return task_batch(task, hash("fresh"), index, settings.batch_tokens);
  };
  data.validation.most_fresh = settings.solved_after;
  data.batch_tokens = settings.batch_tokens;
  data.longest_sentence = longest_sentence_of(valid.pairs);  // the lengths are those of training
  return data;
}

}  // namespace

void check_fingerprint(const std::string& found, const std::string& files, std::string& known) {
  if (known.empty()) known = found;
  ATTN_CHECK(found == known, "the run was trained with other lines than are in ", files,
             " now; put those back, or begin a new run with these");
}

TrainingData training_data(TrainingSettings& settings, Index longest_sentence,
                           const TokenizerPlan& tokenizer) {
  if (settings.task != "text") return task_data(find_task(settings.task), settings);
  return text_data(settings, longest_sentence, tokenizer);
}

}  // namespace attn
