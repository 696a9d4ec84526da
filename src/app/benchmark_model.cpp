#include "app/benchmark_model.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "app/train_options.h"
#include "base/random.h"
#include "text/lines.h"
#include "text/vocabulary.h"

namespace attn::app {

namespace {

constexpr const char* kPreset = "base";
constexpr Index kSentences = 32, kLength = 32;
constexpr Index kMostSentences = 1 << 20, kLongestLength = 1 << 16;

Index length_in(std::string_view word, const std::string& file, std::size_t line) {
  Index length = 0;
  try {
    length = parse_number<Index>(std::string(word), "a whole number");
  } catch (const Error&) {
  }
  ATTN_CHECK(length >= 1 && length <= kLongestLength, file, ", line ", line,
             ": expected a length from 1 to ", kLongestLength, ", not '", word, "'");
  return length;
}

std::vector<PairLengths> read_lengths(const std::string& file) {
  std::vector<PairLengths> lengths;
  for (const std::string& line : read_lines(file)) {
    const std::vector<std::string_view> both = words(line);
    const std::size_t number = lengths.size() + 1;
    ATTN_CHECK(both.size() == 2, file, ", line ", number,
               ": expected two numbers, the lengths of a source and a target");
    lengths.push_back({length_in(both[0], file, number), length_in(both[1], file, number)});
  }
  ATTN_CHECK(!lengths.empty(), file, " is empty; expected two numbers a line, the lengths of ",
             "sources and targets");
  return lengths;
}

std::vector<int> random_ids(Index count, Index vocabulary, const RandomStream& random) {
  std::vector<int> ids;
  for (Index i = 0; i < count; ++i) {
    const auto ordinary = static_cast<std::uint64_t>(vocabulary - kSpecialTokens);
    ids.push_back(kSpecialTokens +
                  static_cast<int>(random.below(static_cast<std::uint64_t>(i), ordinary)));
  }
  return ids;
}

}  // namespace

std::vector<OptionGroup> benchmark_model_options() {
  OptionGroup model{
      "Model (layers, step, decode)",
      {{"preset", "NAME", "tiny, small, or the paper's base or big", kPreset},
       {"vocabulary", "N", "tokens in the vocabulary", "base, big 37000; small 8000; tiny 29"}}};
  // The rest as `train` has them, but for the defaults, which are the preset's.
  for (const char* name : {"layers", "d-model", "d-ff", "heads", "d-k", "d-v", "norm",
                           "tie-embeddings", "dropout", "attention-dropout", "relu-dropout"}) {
    for (const OptionGroup& group : train_option_groups()) {
      for (Option option : group.options) {
        if (option.name != name) continue;
        option.standard = "";
        model.options.push_back(option);
      }
    }
  }
  return {model,
          {"Batch (layers, step)",
           {{"sentences", "N", "sentence pairs in a batch", std::to_string(kSentences)},
            {"source-length", "N", "tokens in a source sentence", std::to_string(kLength)},
            {"target-length", "N", "tokens that are predicted in a target sentence",
             std::to_string(kLength)}}}};
}

Index usual_vocabulary(const std::string& preset_name) {
  return preset_name == "tiny" ? 29 : preset_name == "small" ? kDefaultVocabulary : 37000;
}

Config benchmark_config(const Arguments& arguments) {
  const std::string name = arguments.value_or("preset", kPreset);
  Config config = model_of_options(arguments, name, {});
  config.source_vocabulary = config.target_vocabulary = arguments.number_or(
      "vocabulary", usual_vocabulary(name), kSpecialTokens + 1, kLargestVocabulary);
  return config;
}

std::vector<PairLengths> benchmark_lengths(const Arguments& arguments) {
  if (!arguments.has("lengths")) {
    return {{arguments.number_or("source-length", kLength, 1, kLongestLength),
             arguments.number_or("target-length", kLength, 1, kLongestLength)}};
  }
  for (const char* name : {"source-length", "target-length"}) {
    if (arguments.has(name)) fail_usage("--", name, " and --lengths exclude each other");
  }
  return read_lengths(arguments.value("lengths"));
}

Index benchmark_sentences(const Arguments& arguments) {
  return arguments.number_or("sentences", kSentences, 1, kMostSentences);
}

Batch random_batch(const Config& config, const std::vector<PairLengths>& lengths, Index sentences,
                   std::uint64_t index) {
  Batch batch;
  for (Index i = 0; i < sentences; ++i) {
    const std::uint64_t pair =
        index * static_cast<std::uint64_t>(sentences) + static_cast<std::uint64_t>(i);
    const PairLengths& length = lengths[static_cast<std::size_t>(pair % lengths.size())];
    batch.append(random_ids(length.source, config.source_vocabulary, {1, 2 * pair}),
                 random_ids(length.target + 1, config.target_vocabulary, {1, 2 * pair + 1}));
  }
  return batch;
}

}  // namespace attn::app
