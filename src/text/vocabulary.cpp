// A vocabulary with fewer words than the model has learned would turn known words into <unk>, so a
// file that may have lost its end is refused.
#include "text/vocabulary.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/token_text.h"

namespace attn {

constexpr std::string_view kSpecial[kSpecialTokens] = {"<unk>", "<bos>", "<eos>"};

static std::string_view name_of(Units units) {
  return units == Units::characters ? "char" : "words";
}

static bool is_special(std::string_view word) {
  return std::find(std::begin(kSpecial), std::end(kSpecial), word) != std::end(kSpecial);
}

Vocabulary::Vocabulary(Units units)
    : units_(units), tokens_(std::begin(kSpecial), std::end(kSpecial)) {}

Vocabulary::Vocabulary(const std::vector<std::string>& words) : Vocabulary() {
  for (const std::string& word : words) add(word, attn::text("word ", size()));
}

void Vocabulary::add(std::string_view word, std::string_view where) {
  ATTN_CHECK(!word.empty(), where, ": an empty token");
  ATTN_CHECK(first_invalid_utf8(word) == word.size(), where, ": a token that is not UTF-8");
  ATTN_CHECK(word.find('\0') == word.npos, where, ": a NUL byte inside a token");
  const bool one = units_ == Units::characters;
  ATTN_CHECK(!one || (first_character(word) == word && word != "\n"), where,
             ": not one character of a line");
  ATTN_CHECK(one || std::none_of(word.begin(), word.end(), is_space), where,
             ": white space inside a token");
  ATTN_CHECK(!is_special(word), where, ": the special token ", word, " a second time");
  const auto [existing, added] = ids_.emplace(word, size());
  ATTN_CHECK(added, where, ": the same token as token ", existing->second, " (counted from 0)");
  tokens_.push_back(one ? written_token(word) : std::string(word));
}

const std::string& Vocabulary::token(int id) const {
  ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, ": the vocabulary has ", size());
  return tokens_[static_cast<std::size_t>(id)];
}

int Vocabulary::id(std::string_view word) const {
  const auto found = ids_.find(std::string(word));
  return found == ids_.end() ? kUnknown : found->second;
}

std::vector<std::string_view> Vocabulary::cut(std::string_view line) const {
  return units_ == Units::characters ? characters(line) : words(line);
}

std::vector<int> Vocabulary::encode(std::string_view line) const {
  std::vector<int> ids;
  for (const std::string_view word : cut(line)) ids.push_back(id(word));
  return ids;
}

std::string Vocabulary::decode(const std::vector<int>& ids) const {
  std::string line;
  for (const int id : ids) {
    const std::string& word = token(id);
    if (id == kBos || id == kEos) continue;
    if (units_ == Units::characters) {
      line += id == kUnknown ? "\uFFFD" : read_token(word, "");
      continue;
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  return line;
}

std::string Vocabulary::text() const {
  std::string contents = tokenizer_heading(name_of(units_)) + attn::text('\n', size(), '\n');
  for (const std::string& token : tokens_) contents += token + '\n';
  return contents;
}

std::string tokenizer_heading(std::string_view kind) {
  return attn::text("attention-tokenizer 1 ", kind);
}

std::vector<std::string> tokenizer_lines(std::string_view contents, std::string_view kind,
                                         std::string_view where) {
  // A file that does not end in a newline may have lost the end of its last token.
  ATTN_CHECK(!contents.empty(), where, " is empty, expected a tokenizer");
  ATTN_CHECK(contents.back() == '\n', where, " does not end in a newline: is it cut short?");
  std::vector<std::string> lines = split(contents, '\n');
  lines.pop_back();  // the empty part after the last newline
  const std::string heading = tokenizer_heading(kind);
  ATTN_CHECK(lines[0] == heading, where, ", line 1: expected '", heading, "'");
  return lines;
}

Vocabulary Vocabulary::parse(std::string_view contents, std::string_view where, Units units) {
  const std::vector<std::string> lines = tokenizer_lines(contents, name_of(units), where);
  constexpr std::size_t first_token = 2, first_word = first_token + kSpecialTokens;
  ATTN_CHECK(lines.size() >= first_word, where,
             " ends before the special tokens <unk>, <bos> and <eos>: is it cut short?");
  const std::size_t tokens = lines.size() - first_token;
  ATTN_CHECK(lines[1] == attn::text(tokens), where, ", line 2: expected ", tokens,
             ", the number of lines (tokens) that follow");

  Vocabulary vocabulary(units);
  for (std::size_t n = first_token; n < lines.size(); ++n) {
    const std::string place = attn::text(where, ", line ", n + 1);
    if (n < first_word) {
      const std::string_view special = kSpecial[n - first_token];
      ATTN_CHECK(lines[n] == special, place, ": expected the special token ", special);
    } else if (units == Units::words) {
      vocabulary.add(lines[n], place);
    } else {
      vocabulary.add(read_token(lines[n], place + ": "), place);
    }
  }
  return vocabulary;
}

Vocabulary most_frequent_words(const UnitCounts& counts, Index maximum_size, Units units) {
  ATTN_CHECK(maximum_size > kSpecialTokens, "a vocabulary of at most ", maximum_size,
             " tokens has no room for words: ", kSpecialTokens, " tokens are special");
  std::vector<std::pair<std::string, std::int64_t>> ranked(counts.begin(), counts.end());
  std::sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  Vocabulary vocabulary(units);
  for (const auto& [word, count] : ranked) {
    if (vocabulary.size() == maximum_size) break;
    if (!is_special(word)) vocabulary.add(word, "the corpus");
  }
  return vocabulary;
}

}  // namespace attn
