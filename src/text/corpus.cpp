// Lines become ids here, and every error names the file and the line.
#include "text/corpus.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "text/lines.h"

namespace attn {

std::vector<std::string> read_text(const std::string& path, std::size_t longest) {
  std::vector<std::string> lines = read_lines(path, longest);
  ATTN_CHECK(!lines.empty(), path, " is empty, expected lines of text");
  ATTN_CHECK(lines.size() > 1 || lines[0].find('\r') == std::string::npos, path,
             " is a single line: its lines end in carriage returns alone; convert them, for ",
             "example with tr '\\r' '\\n'");
  return lines;
}

void check_same_lines(const std::string& source_path, std::size_t sources,
                      const std::string& target_path, std::size_t targets) {
  ATTN_CHECK(sources == targets, source_path, " has ", counted(sources, "line"), " and ",
             target_path, " has ", grouped(targets),
             ": expected line n of one to be the translation of line n of the other");
}

std::vector<TextPair> read_parallel_text(const std::string& source_path,
                                         const std::string& target_path) {
  std::vector<std::string> source = read_text(source_path);
  std::vector<std::string> target = read_text(target_path);
  check_same_lines(source_path, source.size(), target_path, target.size());
  std::vector<TextPair> pairs(source.size());
  for (std::size_t n = 0; n < pairs.size(); ++n) {
    pairs[n] = {std::move(source[n]), std::move(target[n])};
  }
  return pairs;
}

std::vector<TextPair> read_pairs(const std::string& path, bool swapped) {
  std::vector<TextPair> pairs;
  for (const std::string& line : read_text(path)) {
    std::vector<std::string> cells = split(line, '\t');
    ATTN_CHECK(cells.size() > 1 || is_blank(line), path, ", line ", pairs.size() + 1,
               ": no tab; expected a sentence, a tab and its translation");
    cells.resize(2);
    pairs.push_back({std::move(cells[swapped ? 1 : 0]), std::move(cells[swapped ? 0 : 1])});
  }
  return pairs;
}

std::vector<int> encode_source(const Tokenizer& tokenizer, std::string_view line) {
  std::vector<int> ids = tokenizer.encode(line);
  ids.push_back(kEos);
  return ids;
}

std::vector<int> encode_target(const Tokenizer& tokenizer, std::string_view line) {
  std::vector<int> ids = encode_source(tokenizer, line);
  ids.insert(ids.begin(), kBos);
  return ids;
}

std::vector<int> text_stream(const Tokenizer& tokenizer, const std::vector<std::string>& lines) {
  std::vector<int> stream;
  for (const std::string& line : lines) {
    const std::vector<int> ids = tokenizer.encode(line);
    stream.insert(stream.end(), ids.begin(), ids.end());
    stream.push_back(kEos);
  }
  return stream;
}

std::vector<int> whole_text(const Tokenizer& tokenizer, const std::string& text) {
  std::vector<int> stream = text_stream(tokenizer, split(text, '\n'));
  stream.insert(stream.begin(), kEos);
  return stream;
}

void check_length(const SequenceModel& model, Index tokens, const std::string& where) {
  ATTN_CHECK(tokens <= kLongestSentence, where, ": ", grouped(tokens - 1),
             " tokens; a sentence has at most ", grouped(kLongestSentence - 1), " here, split it");
  const Index longest = model.facts.longest_sentence;
  ATTN_CHECK(tokens <= longest, where, ": ", tokens - 1, " tokens; with the positions that this ",
             "model has learned a sentence has at most ", longest - 1);
}

SentencePair encode_pair(const Tokenizer& tokenizer, const TextPair& line) {
  return {encode_source(tokenizer, line.source), encode_target(tokenizer, line.target)};
}

Index longest_sentence_of(const std::vector<SentencePair>& pairs) {
  Index longest = 0;
  for (const SentencePair& pair : pairs) {
    longest = std::max({longest, pair.source_tokens(), pair.target_tokens()});
  }
  return longest;
}

// "2 too long, 1 repeated": those that are not 0.
static std::string counts_text(const std::vector<std::pair<Index, const char*>>& counts) {
  std::string all;
  for (const auto& [count, what] : counts) {
    if (count > 0) all += text(all.empty() ? "" : ", ", grouped(count), ' ', what);
  }
  return all;
}

std::string left_out_text(const LeftOut& left_out) {
  return counts_text({{left_out.empty, "with an empty side"},
                      {left_out.too_long, "too long"},
                      {left_out.uneven, "whose lengths differ too much"},
                      {left_out.repeated, "repeated"}});
}

void LookAlikes::add(std::string_view line) {
  accents += has_combining_marks(line);
  no_break += line.find("\u00A0") != line.npos;
  narrow_no_break += line.find("\u202F") != line.npos;
}

std::string look_alikes_text(const LookAlikes& lines) {
  const std::string all =
      counts_text({{lines.accents, "with accents apart from their letters (compose them)"},
                   {lines.no_break, "with U+00A0 for a space"},
                   {lines.narrow_no_break, "with U+202F for a space"}});
  return all.empty() ? "" : "; other tokens than they look: " + all;
}

Corpus encode_corpus(const std::vector<TextPair>& lines, const Tokenizer& tokenizer,
                     Index max_length, const std::string& where) {
  Corpus corpus;
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    const TextPair& line = lines[n];
    SentencePair pair = encode_pair(tokenizer, line);
    // Either side has one token besides its words.
    const Index source = pair.source_tokens() - 1, target = pair.target_tokens() - 1;
    const Index shorter = std::min(source, target), longer = std::max(source, target);
    Index* reason = nullptr;
    if (shorter == 0 || is_blank(line.source) || is_blank(line.target)) {
      reason = &corpus.left_out.empty;
    } else if (longer + 1 > max_length) {
      reason = &corpus.left_out.too_long;
    } else if (longer > kMostUneven * shorter) {
      reason = &corpus.left_out.uneven;
    } else if (!seen.emplace(line.source, line.target).second) {
      reason = &corpus.left_out.repeated;
    }
    if (reason == nullptr) {
      corpus.pairs.push_back(std::move(pair));
      corpus.lines.push_back(n);
    } else {
      ++*reason;
    }
  }
  ATTN_CHECK(!corpus.pairs.empty(), where, "none of ", counted(lines.size(), "sentence pair"),
             " can be used: ", left_out_text(corpus.left_out),
             corpus.left_out.too_long > 0
                 ? text("; a side has at most ", counted(max_length, "token"),
                        " with its <eos>, by `batch_tokens`, `max_positions` or the limit of ",
                        grouped(kLongestSentence))
                 : "");
  return corpus;
}

}  // namespace attn
