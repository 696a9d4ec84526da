#include "text/corpus.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "text/lines.h"

namespace attn {

namespace {

std::vector<std::string> read_side(const std::string& path) {
  std::vector<std::string> lines = read_lines(path);
  ATTN_CHECK(!lines.empty(), path, " is empty, expected one sentence a line");
  return lines;
}

}  // namespace

std::vector<TextPair> read_parallel_text(const std::string& source_path,
                                         const std::string& target_path) {
  std::vector<std::string> source = read_side(source_path);
  std::vector<std::string> target = read_side(target_path);
  ATTN_CHECK(source.size() == target.size(), source_path, " has ", source.size(), " lines and ",
             target_path, " has ", target.size(),
             ": line n of the one must translate line n of the other");
  std::vector<TextPair> pairs(source.size());
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    pairs[n] = {std::move(source[n]), std::move(target[n])};
  }
  return pairs;
}

std::vector<int> encode_source(const Vocabulary& vocabulary, std::string_view line) {
  std::vector<int> ids = vocabulary.encode(line);
  ids.push_back(kEos);
  return ids;
}

std::vector<int> encode_target(const Vocabulary& vocabulary, std::string_view line) {
  std::vector<int> ids = encode_source(vocabulary, line);
  ids.insert(ids.begin(), kBos);
  return ids;
}

void check_length(const SequenceModel& model, Index tokens, const std::string& where) {
  ATTN_CHECK(tokens <= kLongestSentence, where, ": ", grouped(tokens - 1),
             " words; a sentence has at most ", grouped(kLongestSentence - 1), " here, split it");
  const Index longest = model.longest_sentence();
  ATTN_CHECK(tokens <= longest, where, ": ", tokens - 1, " words; this model has learned ", longest,
             " positions, so a sentence has at most ", longest - 1);
}

SentencePair encode_pair(const Vocabulary& vocabulary, const TextPair& line) {
  return {encode_source(vocabulary, line.source), encode_target(vocabulary, line.target)};
}

EncodedPairs encode_every_pair(const std::vector<TextPair>& lines, const Vocabulary& vocabulary,
                               const SequenceModel& model, const std::string& source_path,
                               const std::string& target_path) {
  EncodedPairs all;
  for (const TextPair& line : lines) {
    SentencePair pair = encode_pair(vocabulary, line);
    const Index source = static_cast<Index>(pair.source.size());
    const Index target = static_cast<Index>(pair.target.size()) - 1;
    const std::size_t number = all.pairs.size() + 1;
    check_length(model, source, text(source_path, ", line ", number));
    check_length(model, target, text(target_path, ", line ", number));
    for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
      all.unknown += std::count(ids->begin(), ids->end(), kUnknown);
    }
    all.words += source + target - 2;
    all.pairs.push_back(std::move(pair));
  }
  return all;
}

Corpus encode_corpus(const std::vector<TextPair>& lines, const Vocabulary& vocabulary,
                     Index max_length) {
  Corpus corpus;
  for (const TextPair& line : lines) {
    SentencePair pair = encode_pair(vocabulary, line);
    // The decoder reads a target without its <eos>, so both sides take one position beyond words.
    const Index source = static_cast<Index>(pair.source.size());
    const Index target = static_cast<Index>(pair.target.size()) - 1;
    if (std::min(source, target) == 1) {
      ++corpus.empty;
    } else if (std::max(source, target) > max_length) {
      ++corpus.too_long;
    } else {
      corpus.pairs.push_back(std::move(pair));
    }
  }
  ATTN_CHECK(!corpus.pairs.empty(), "of ", lines.size(),
             " sentence pairs none is left: ", corpus.empty, " have an empty side, ",
             corpus.too_long, " are too long");
  return corpus;
}

}  // namespace attn
