// The time of a step depends on the lengths of its sentences, not on their words, which are random.
#include "lab/benchmark/workload.h"

#include <string_view>

#include "base/random.h"
#include "base/settings.h"
#include "text/lines.h"
#include "text/vocabulary.h"

namespace attn {

namespace {

Index length_in(std::string_view word, const std::string& file, std::size_t line) {
  const Index length = number_in<Index>(word).value_or(0);
  ATTN_CHECK(length >= 1 && length <= kLongestLength, file, ", line ", line,
             ": expected a length from 1 to ", kLongestLength, ", not '", word, "'");
  return length;
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

std::vector<int> random_source(Index length, Index vocabulary, std::uint64_t number) {
  if (length == 0) return {};
  std::vector<int> ids = random_ids(length - 1, vocabulary, {1, number});
  ids.push_back(kEos);
  return ids;
}

}  // namespace

Index usual_vocabulary(const std::string& preset_name) {
  return preset_name == "tiny" ? 29 : preset_name == "small" ? 8000 : 37000;
}

TransformerConfig measured_preset(const std::string& name) {
  TransformerConfig config = preset(name);
  config.source_vocabulary = config.target_vocabulary = usual_vocabulary(name);
  return config;
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
  ATTN_CHECK(!lengths.empty(), file, " is empty; expected two numbers per line, the lengths of ",
             "sources and targets");
  return lengths;
}

Batch random_batch(Index vocabulary, const std::vector<PairLengths>& lengths, Index sentences,
                   std::uint64_t index) {
  Batch batch;
  for (Index i = 0; i < sentences; ++i) {
    const std::uint64_t pair =
        index * static_cast<std::uint64_t>(sentences) + static_cast<std::uint64_t>(i);
    const PairLengths& length = lengths[static_cast<std::size_t>(pair % lengths.size())];
    batch.append(random_source(length.source, vocabulary, 2 * pair),
                 random_ids(length.target + 1, vocabulary, {1, 2 * pair + 1}));
  }
  return batch;
}

PackedIds random_sources(Index vocabulary, Index sentences, Index length) {
  PackedIds sources;
  for (Index b = 0; b < sentences; ++b) {
    sources.append(random_source(length, vocabulary, static_cast<std::uint64_t>(b)));
  }
  return sources;
}

}  // namespace attn
