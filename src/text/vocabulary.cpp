// A word has an id; whatever has none is <unk>.
#include "text/vocabulary.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/format.h"
#include "base/utf8.h"
#include "text/lines.h"

namespace attn {

constexpr std::string_view kSpecial[kSpecialTokens] = {"<unk>", "<bos>", "<eos>"};

static bool is_special(std::string_view word) {
  return std::find(std::begin(kSpecial), std::end(kSpecial), word) != std::end(kSpecial);
}

std::string written_token(std::string_view token) {
  std::string result;
  for (const char c : token) {
    if (c == kPieceEnd) {
      result += '_';
    } else if (c == '\\' || c == '_') {
      (result += '\\') += c;
    } else if (c == ' ') {
      result += "\\s";
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F) {
      result += "\\x" + hexadecimal(c);
    } else {
      result += c;
    }
  }
  return result;
}

Vocabulary::Vocabulary(Units units)
    : units_(units), tokens_(std::begin(kSpecial), std::end(kSpecial)) {}

Vocabulary::Vocabulary(const std::vector<std::string>& words) : Vocabulary() {
  for (const std::string& word : words) add(word, text("word ", size()));
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
  tokens_.emplace_back(word);
}

std::string Vocabulary::token(int id) const {
  ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, ": the vocabulary has ", size());
  const std::string& token = tokens_[static_cast<std::size_t>(id)];
  return units_ == Units::characters && id >= kSpecialTokens ? written_token(token) : token;
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
  const bool of_characters = units_ == Units::characters;
  std::vector<std::string> parts;
  for (const int id : ids) {
    ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, ": the vocabulary has ", size());
    if (id == kBos || id == kEos) continue;
    const bool unknown = of_characters && id == kUnknown;
    parts.push_back(unknown ? "\uFFFD" : tokens_[static_cast<std::size_t>(id)]);
  }
  return joined(parts, of_characters ? "" : " ");
}

std::vector<std::string> by_frequency(const UnitCounts& counts) {
  std::vector<std::pair<std::int64_t, std::string_view>> ranked;
  for (const auto& [unit, count] : counts) ranked.emplace_back(-count, unit);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> units;
  for (const auto& [count, unit] : ranked) units.emplace_back(unit);
  return units;
}

Vocabulary most_frequent_words(const UnitCounts& counts, Index maximum_size, Units units) {
  ATTN_CHECK(maximum_size > kSpecialTokens, "a vocabulary of at most ", maximum_size,
             " tokens has no room for words: ", kSpecialTokens, " tokens are special");
  Vocabulary vocabulary(units);
  for (const std::string& word : by_frequency(counts)) {
    if (vocabulary.size() == maximum_size) break;
    if (!is_special(word)) vocabulary.add(word, "the corpus");
  }
  return vocabulary;
}

}  // namespace attn
