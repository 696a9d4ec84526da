// A task makes its batches. A text is read: files → lines → tokens → what is trained on and what is
// validated with → batches.
#include "training/data.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <unordered_set>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/random.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "text/lines.h"

namespace attn {

namespace {

// Of its words: white space around them does not make another sentence.
std::uint64_t source_hash(const TextPair& pair) {
  return hash(joined(words(pair.source), " "));
}

// Whether a pair is validated with, not trained: decided by its source, so that none is on both
// sides.
bool is_held_out(const TextPair& pair, Index one_in) {
  return one_in > 0 && source_hash(pair) % static_cast<std::uint64_t>(one_in) == 0;
}

// The pairs to validate with whose source is trained on as well, perhaps with another target.
LineTally also_trained(const std::vector<TextPair>& lines, const Corpus& trained,
                       const std::vector<TextPair>& valid_lines, const Corpus& valid) {
  std::unordered_set<std::uint64_t> sources;
  for (const std::size_t n : trained.lines) sources.insert(source_hash(lines[n]));
  LineTally both;
  for (const std::size_t n : valid.lines) {
    if (sources.count(source_hash(valid_lines[n])) > 0) both.add(n);
  }
  return both;
}

Tokenizer learn_tokenizer(const std::vector<TextPair>& lines, Index held_out_one_in,
                          const NewTokenizer& fresh) {
  UnitCounts counts;
  for (const TextPair& pair : lines) {
    if (is_held_out(pair, held_out_one_in)) continue;
    for (const std::string* side : {&pair.source, &pair.target}) {
      count_units(fresh.units, *side, counts);
    }
  }
  return attn::learn_tokenizer(fresh.units, counts, fresh.size);
}

// Sentences too long for translate are left out of training too: the memory for attention grows
// with the square of the length.
Corpus encoded(const std::vector<TextPair>& lines, const Tokenizer& tokenizer, Index max_length,
               const std::string& files) {
  return encode_corpus(lines, tokenizer, std::min(max_length, kLongestSentence), files + ": ");
}

// One side of a parallel text.
void check_fingerprint(const std::vector<TextPair>& lines, std::string TextPair::*side,
                       const std::string& path, const char* setting, std::string& known) {
  const auto line = [&](std::size_t n) -> const std::string& { return lines[n].*side; };
  attn::check_fingerprint(lines.size(), line, path, setting, known);
}

// The lines to train with, and the files that they come from.
std::vector<TextPair> read_training_text(TrainingSettings& s, std::string& files) {
  const bool one_file = !s.pairs.empty();
  const std::string &source = one_file ? s.pairs : s.source,
                    &target = one_file ? s.pairs : s.target;
  std::string columns;
  std::vector<TextPair> lines =
      one_file ? read_pairs(s.pairs, s.swap, columns) : read_parallel_text(source, target);
  files = one_file ? s.pairs + columns : text(source, " and ", target);
  check_fingerprint(lines, &TextPair::source, source, one_file ? "pairs" : "source",
                    s.source_fingerprint);
  check_fingerprint(lines, &TextPair::target, target, one_file ? "pairs" : "target",
                    s.target_fingerprint);
  return lines;
}

std::vector<TextPair> read_validation_text(TrainingSettings& s) {
  const std::vector<TextPair> lines = read_parallel_text(s.valid_source, s.valid_target);
  check_fingerprint(lines, &TextPair::source, s.valid_source, "valid_source",
                    s.valid_source_fingerprint);
  check_fingerprint(lines, &TextPair::target, s.valid_target, "valid_target",
                    s.valid_target_fingerprint);
  return lines;
}

struct SplitCorpus {
  Corpus trained, held_out;
};
SplitCorpus split_corpus(Corpus all, const std::vector<TextPair>& lines, Index one_in) {
  auto pairs = std::exchange(all.pairs, {});
  const auto places = std::exchange(all.lines, {});
  SplitCorpus split{std::move(all), {}};  // with what was left out
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const bool held_out = is_held_out(lines[places[i]], one_in);
    Corpus& side = held_out ? split.held_out : split.trained;
    side.pairs.push_back(std::move(pairs[i]));
    side.lines.push_back(places[i]);
  }
  return split;
}

// The pairs that are translated at each validation: those with the smallest hashes.
std::vector<TextPair> sample_of(const std::vector<TextPair>& lines, const Corpus& corpus) {
  constexpr std::size_t kMost = 200;
  std::vector<std::pair<std::uint64_t, std::size_t>> by_hash;
  for (const std::size_t n : corpus.lines) {
    by_hash.emplace_back(mix(hash(lines[n].source), hash(lines[n].target)), n);
  }
  std::sort(by_hash.begin(), by_hash.end());
  by_hash.resize(std::min(by_hash.size(), kMost));
  std::vector<TextPair> sample;
  for (const auto& [unused, n] : by_hash) sample.push_back(lines[n]);
  return sample;
}

Index size_of(const Corpus& corpus) {
  return static_cast<Index>(corpus.pairs.size());
}

std::string and_left_out(const Corpus& corpus) {
  const std::string reasons = left_out_text(corpus.left_out);
  return reasons.empty() ? "" : "; left out: " + reasons;
}

// Adds what the run is validated with, from files of its own or held out.
void add_validation(TrainingSettings& settings, Index longest_sentence,
                    const std::vector<TextPair>& lines, const Corpus& trained,
                    const Corpus& held_out, TrainingData& data) {
  ValidationSet& validation = data.validation;
  const auto add = [&](const std::vector<TextPair>& valid_lines, const Corpus& valid) {
    validation.sample = sample_of(valid_lines, valid);
    validation.batches = batches_in_order(valid.pairs, settings.batch_tokens);
    data.longest_sentence = std::max(data.longest_sentence, longest_sentence_of(valid.pairs));
    data.description += "; validated with " + grouped(size_of(valid));
  };
  validation.tokenizer = data.tokenizer;
  if (!settings.valid_source.empty()) {
    const std::vector<TextPair> valid_lines = read_validation_text(settings);
    const Corpus valid = encoded(valid_lines, data.tokenizer, longest_sentence,
                                 text(settings.valid_source, " and ", settings.valid_target));
    add(valid_lines, valid);
    data.description += and_left_out(valid);
    const LineTally both = also_trained(lines, trained, valid_lines, valid);
    if (both.count > 0) {
      data.description += "; " + tally_text(both, "with a source that is trained on too");
    }
  } else if (!held_out.pairs.empty()) {
    add(lines, held_out);
    data.description += text(" others, one source in ", settings.hold_out, ", chosen by its hash");
  } else {
    data.description += "; nothing is held out, so there is no validation";
    if (settings.hold_out > 0) {
      data.description += text(" (of so few sources, `hold_out` ", settings.hold_out,
                               " chose none; give a smaller number, or `valid_source`)");
    }
  }
}

TrainingData text_data(TrainingSettings& settings, Index longest_sentence,
                       const Tokenizer* tokenizer, const NewTokenizer& fresh) {
  std::string files;
  const std::vector<TextPair> lines = read_training_text(settings, files);
  const Index one_in = settings.valid_source.empty() ? settings.hold_out : 0;
  TrainingData data;
  data.tokenizer = tokenizer != nullptr ? *tokenizer : learn_tokenizer(lines, one_in, fresh);
  auto [corpus, held_out] = split_corpus(
      encoded(lines, data.tokenizer, std::min(longest_sentence, settings.batch_tokens), files),
      lines, one_in);
  ATTN_CHECK(!corpus.pairs.empty(), files, ": every pair is held out to validate with; give a ",
             "larger `hold_out`, or 0");
  data.longest_sentence = longest_sentence_of(corpus.pairs);
  data.description = text(counted(size_of(corpus), "pair"), " of ", files, and_left_out_text(corpus.left_out));
  add_validation(settings, longest_sentence, lines, corpus, held_out, data);
  ATTN_CHECK(!data.validation.batches.empty() || settings.patience == 0, files,
             ": nothing is held out to validate with, so that `patience` would wait forever; give ",
             "a smaller `hold_out`, or `valid_source`");

  Index source = 0, target = 0, unknown = 0;
  for (const SentencePair& pair : corpus.pairs) {
    source += pair.source_tokens();
    target += pair.target_tokens();
    for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
      unknown += std::count(ids->begin(), ids->end(), kUnknown);
    }
  }
  data.batch_tokens = std::min(settings.batch_tokens, std::max(source, target));
  if (unknown > 0) {
    const Index words = source + target - 2 * size_of(corpus);  // without <eos> and <bos>
    data.description += text("; ", percent(unknown, words), " of the tokens are unknown");
  }
  const auto batches = std::make_shared<CorpusBatches>(std::move(corpus.pairs),
                                                       settings.batch_tokens, settings.seed);
  data.description += text("; padded to equal lengths, ", share_text(batches->padding_share()),
                           " of the batches would be padding");
  data.batches = [batches](std::uint64_t index) { return batches->at(index); };
  return data;
}

TrainingData task_data(const Task& task, const TrainingSettings& settings) {
  const std::vector<TextPair> pairs = task.validation_set();
  TrainingData data;
  data.tokenizer = task.tokenizer;
  data.batches = [task, settings](std::uint64_t index) {
    return task_batch(task, settings.seed, index, settings.batch_tokens);
  };
  const Corpus valid = encode_corpus(pairs, task.tokenizer);
  data.validation.batches = batches_in_order(valid.pairs, settings.batch_tokens);
  data.validation.fresh = [task, settings](std::uint64_t index) {
    return task_batch(task, hash("fresh"), index, settings.batch_tokens);
  };
  data.validation.most_fresh = settings.solved_after;
  data.batch_tokens = settings.batch_tokens;
  data.longest_sentence = longest_sentence_of(valid.pairs);  // the lengths are those of training
  data.description = text(task.name, ", for example ", pairs[1].source, " → ", pairs[1].target);
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
                           const Tokenizer* tokenizer, const NewTokenizer& fresh) {
  if (settings.task != "text") return task_data(find_task(settings.task), settings);
  return text_data(settings, longest_sentence, tokenizer, fresh);
}

}  // namespace attn
