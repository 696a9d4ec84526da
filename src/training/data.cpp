// A task makes its batches. A text is read: files → lines → tokens → what is trained on and what is
// validated with → batches.
#include "training/data.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "base/random.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/lines.h"

namespace attn {

namespace {

using Lines = std::vector<TextPair>;

// Of its words: white space around them does not make another sentence.
std::uint64_t source_hash(const TextPair& pair) {
  return hash(joined(words(pair.source), " "));
}

// Whether a pair is validated with, not trained: decided by its source, so that none is on both
// sides.
bool is_held_out(const TextPair& pair, Index one_in) {
  return one_in > 0 && source_hash(pair) % static_cast<std::uint64_t>(one_in) == 0;
}

// One side of a parallel text.
void check_side(const Lines& lines, std::string TextPair::*side, const std::string& path,
                const char* setting, std::string& known) {
  const auto line = [&](std::size_t n) -> const std::string& { return lines[n].*side; };
  check_fingerprint(lines.size(), line, path, setting, known);
}

// The lines to train with, and the names of their files.
Lines read_training_text(TrainingSettings& s, std::string& files) {
  if (!s.pairs.empty()) {
    std::string columns;
    const Lines lines = read_pairs(s.pairs, s.swap, columns);
    files = s.pairs + columns;
    check_side(lines, &TextPair::source, s.pairs, "pairs", s.source_fingerprint);
    check_side(lines, &TextPair::target, s.pairs, "pairs", s.target_fingerprint);
    return lines;
  }
  const Lines lines = read_parallel_text(s.source, s.target);
  files = s.source + " and " + s.target;
  check_side(lines, &TextPair::source, s.source, "source", s.source_fingerprint);
  check_side(lines, &TextPair::target, s.target, "target", s.target_fingerprint);
  return lines;
}

Lines read_validation_text(TrainingSettings& s) {
  const Lines lines = read_parallel_text(s.valid_source, s.valid_target);
  check_side(lines, &TextPair::source, s.valid_source, "valid_source", s.valid_source_fingerprint);
  check_side(lines, &TextPair::target, s.valid_target, "valid_target", s.valid_target_fingerprint);
  return lines;
}

Tokenizer learned_tokenizer(const Lines& lines, Index held_out_one_in, const TokenizerPlan& plan) {
  UnitCounts counts;
  for (const TextPair& pair : lines) {
    if (is_held_out(pair, held_out_one_in)) continue;
    count_units(plan.units, pair.source, counts);
    count_units(plan.units, pair.target, counts);
  }
  return learn_tokenizer(plan.units, counts, plan.size);
}

// Takes the pairs to validate with out of the corpus.
Corpus hold_out(Corpus& corpus, const Lines& lines, Index one_in) {
  Corpus trained, held_out;
  for (std::size_t i = 0; i < corpus.pairs.size(); ++i) {
    Corpus& side = is_held_out(lines[corpus.lines[i]], one_in) ? held_out : trained;
    side.pairs.push_back(std::move(corpus.pairs[i]));
    side.lines.push_back(corpus.lines[i]);
  }
  corpus.pairs = std::move(trained.pairs);
  corpus.lines = std::move(trained.lines);
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

// The pairs to validate with whose source is trained on as well, perhaps with another target.
LineTally also_trained(const Lines& lines, const Corpus& trained, const Lines& valid_lines,
                       const Corpus& valid) {
  std::unordered_set<std::uint64_t> sources;
  for (const std::size_t n : trained.lines) sources.insert(source_hash(lines[n]));
  LineTally both;
  for (const std::size_t n : valid.lines) {
    if (sources.count(source_hash(valid_lines[n])) > 0) both.add(n);
  }
  return both;
}

TrainingData text_data(TrainingSettings& s, Index longest_sentence, const TokenizerPlan& plan) {
  TrainingData data;
  DataReport& report = data.report;
  const Lines lines = read_training_text(s, report.files);
  for (std::size_t n = 0; n < lines.size(); ++n) {
    report.look_alikes.add(lines[n].source + lines[n].target, n);
  }
  const Index one_in = s.valid_source.empty() ? s.hold_out : 0;
  data.tokenizer = plan.known ? *plan.known : learned_tokenizer(lines, one_in, plan);

  // Sentences too long for translate are left out of training too: the memory for attention grows
  // with the square of the length.
  const Index longest = std::min(longest_sentence, kLongestSentence);
  Corpus trained =
      encode_corpus(lines, data.tokenizer, std::min(longest, s.batch_tokens), report.files + ": ");
  Lines other_lines;
  Corpus valid;
  if (s.valid_source.empty()) {
    valid = hold_out(trained, lines, one_in);
  } else {
    other_lines = read_validation_text(s);
    valid = encode_corpus(other_lines, data.tokenizer, longest,
                          s.valid_source + " and " + s.valid_target + ": ");
    report.also_trained = also_trained(lines, trained, other_lines, valid);
  }
  ATTN_CHECK(!trained.pairs.empty(), report.files, ": every pair is held out to validate with; ",
             "give a larger `hold_out`, or 0");
  ATTN_CHECK(!valid.pairs.empty() || s.patience == 0, report.files, ": nothing is held out, and ",
             "`patience` requires pairs to validate with; give a smaller `hold_out`, or ",
             "`valid_source`");
  data.validation.tokenizer = data.tokenizer;
  data.validation.sample = sample_of(s.valid_source.empty() ? lines : other_lines, valid);
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
  report.trained = static_cast<Index>(trained.pairs.size());
  report.validated = static_cast<Index>(valid.pairs.size());
  report.left_out = trained.left_out;
  report.left_out_of_validated = valid.left_out;
  report.tokens = source + target - 2 * report.trained;  // without <eos> and <bos>
  const auto batches =
      std::make_shared<CorpusBatches>(std::move(trained.pairs), s.batch_tokens, s.seed);
  report.padding = batches->padding_share();
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

void check_fingerprint(std::size_t lines, const LineOf& line, const std::string& path,
                       const char* setting, std::string& known) {
  std::uint64_t hashes = 0;
  for (std::size_t n = 0; n < lines; ++n) hashes = mix(hashes, hash(line(n)));
  const std::string found = text(lines, " lines with hash ", hashes);
  if (known.empty()) known = found;
  ATTN_CHECK(found == known, path, " is not the file that the run was trained with, or it has ",
             "changed since; put that file back, say where it is with `", setting,
             "`, or begin a new run with this one");
}

TrainingData training_data(TrainingSettings& settings, Index longest_sentence,
                           const TokenizerPlan& tokenizer) {
  if (settings.task != "text") return task_data(find_task(settings.task), settings);
  return text_data(settings, longest_sentence, tokenizer);
}

}  // namespace attn
