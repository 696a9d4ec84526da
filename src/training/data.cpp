#include "training/data.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/random.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/corpus.h"

namespace attn {

namespace {

Index longest_of(const std::vector<SentencePair>& pairs) {
  Index longest = 0;
  for (const SentencePair& pair : pairs) {
    longest = std::max({longest, pair.source_tokens(), pair.target_tokens()});
  }
  return longest;
}

TrainingData task_data(const TrainingSettings& settings) {
  const Task task = find_task(settings.task);
  const std::vector<TextPair> pairs = task.validation_set();
  TrainingData data;
  data.vocabulary = task.vocabulary;
  data.batches = [task, settings](std::uint64_t index) {
    return task_batch(task, settings.seed, index, settings.batch_tokens);
  };
  const Corpus valid = encode_corpus(pairs, task.vocabulary);
  data.validation = batches_in_order(valid.pairs, settings.batch_tokens);
  data.batch_tokens = settings.batch_tokens;
  data.longest_sentence = longest_of(valid.pairs);  // the lengths are those of training
  data.description = text(task.name, ", for example ", pairs[1].source, " → ", pairs[1].target);
  return data;
}

Vocabulary frequent_words(const std::vector<TextPair>& lines, Index maximum) {
  WordCounts counts;
  for (const TextPair& pair : lines) {
    count_words(pair.source, counts);
    count_words(pair.target, counts);
  }
  return most_frequent_words(counts, maximum);
}

std::string left_out(const Corpus& corpus) {
  const Index count = corpus.empty + corpus.too_long;
  if (count == 0) return "";
  return text("; left out ", grouped(count), ": ", grouped(corpus.empty), " with an empty side, ",
              grouped(corpus.too_long), " too long");
}

// encode_corpus, whose errors say which files they speak of. Longer sentences than translate reads
// are not trained with either: the memory for attention grows with the square of the length.
Corpus encoded(const std::vector<TextPair>& lines, const Vocabulary& vocabulary, Index max_length,
               const std::string& source, const std::string& target) {
  try {
    return encode_corpus(lines, vocabulary, std::min(max_length, kLongestSentence));
  } catch (const Error& error) {
    fail(source, " and ", target, ": ", error.what());
  }
}

// Checks or sets the fingerprint of one side of the text. It says nothing about how lines end,
// which changes no batch.
void check_fingerprint(const std::vector<TextPair>& lines, std::string TextPair::*side,
                       const std::string& path, const char* option, std::string& known) {
  std::uint64_t hashes = 0;
  for (const TextPair& pair : lines) hashes = mix(hashes, hash(pair.*side));
  const std::string found = text(lines.size(), " lines with hash ", hashes);
  if (known.empty()) known = found;
  ATTN_CHECK(found == known, path, " is not the file that the run was trained with, or it has ",
             "changed since; put that file back, say where it is with ", option,
             ", or begin a new run with this one");
}

TrainingData text_data(TrainingSettings& settings, Index longest_sentence,
                       const Vocabulary* vocabulary, Index maximum_vocabulary) {
  const std::vector<TextPair> lines = read_parallel_text(settings.source, settings.target);
  check_fingerprint(lines, &TextPair::source, settings.source, "--source",
                    settings.source_fingerprint);
  check_fingerprint(lines, &TextPair::target, settings.target, "--target",
                    settings.target_fingerprint);
  TrainingData data;
  data.vocabulary = vocabulary != nullptr ? *vocabulary : frequent_words(lines, maximum_vocabulary);

  Corpus corpus = encoded(lines, data.vocabulary, std::min(longest_sentence, settings.batch_tokens),
                          settings.source, settings.target);
  data.description = text(grouped(static_cast<Index>(corpus.pairs.size())), " pairs of ",
                          settings.source, " and ", settings.target, left_out(corpus));
  Index source = 0, target = 0;
  for (const SentencePair& pair : corpus.pairs) {
    source += pair.source_tokens();
    target += pair.target_tokens();
  }
  data.batch_tokens = std::min(settings.batch_tokens, std::max(source, target));
  data.longest_sentence = longest_of(corpus.pairs);
  const auto batches = std::make_shared<CorpusBatches>(std::move(corpus.pairs),
                                                       settings.batch_tokens, settings.seed);
  data.batches = [batches](std::uint64_t index) { return batches->at(index); };

  if (!settings.valid_source.empty()) {
    const std::vector<TextPair> valid_lines =
        read_parallel_text(settings.valid_source, settings.valid_target);
    check_fingerprint(valid_lines, &TextPair::source, settings.valid_source, "--valid-source",
                      settings.valid_source_fingerprint);
    check_fingerprint(valid_lines, &TextPair::target, settings.valid_target, "--valid-target",
                      settings.valid_target_fingerprint);
    const Corpus valid = encoded(valid_lines, data.vocabulary, longest_sentence,
                                 settings.valid_source, settings.valid_target);
    data.validation = batches_in_order(valid.pairs, settings.batch_tokens);
    data.description +=
        text("; validated with ", grouped(static_cast<Index>(valid.pairs.size())), left_out(valid));
  }
  return data;
}

}  // namespace

TrainingData training_data(TrainingSettings& settings, Index longest_sentence,
                           const Vocabulary* vocabulary, Index maximum_vocabulary) {
  if (settings.task != "text") return task_data(settings);
  return text_data(settings, longest_sentence, vocabulary, maximum_vocabulary);
}

}  // namespace attn
