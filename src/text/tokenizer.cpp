// A word or character has an id, and whatever has none is <unk>; a piece of byte pairs has several.
#include "text/tokenizer.h"

#include <algorithm>

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

Tokenizer::Tokenizer(Units units)
    : units_(units), tokens_(std::begin(kSpecial), std::end(kSpecial)) {
  if (units != Units::byte_pairs) return;
  for (int byte = 0; byte < 256; ++byte) tokens_.emplace_back(1, static_cast<char>(byte));
  add_symbol(std::string(1, kPieceEnd));
}

Tokenizer::Tokenizer(const std::vector<std::string>& words) : Tokenizer() {
  for (const std::string& word : words) add(word, attn::text("word ", size()));
}

void Tokenizer::add(std::string_view word, std::string_view where) {
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

const std::string& Tokenizer::symbol(int id) const {
  ATTN_CHECK(id >= 0 && id < size(), "there is no token ", id, ": the vocabulary has ", size());
  return tokens_[id];
}

std::string Tokenizer::token(int id) const {
  const std::string& token = symbol(id);
  if (units_ == Units::words || id < kSpecialTokens) return token;
  const bool byte = units_ == Units::byte_pairs && id < kMark;
  return byte ? "\\x" + hexadecimal(token[0]) : written_token(token);
}

int Tokenizer::id(std::string_view token) const {
  const auto found = ids_.find(std::string(token));
  return found == ids_.end() ? kUnknown : found->second;
}

static std::vector<std::string_view> cut(std::string_view line, Units units) {
  return units == Units::words        ? words(line)
         : units == Units::characters ? characters(line)
                                      : pieces(line);
}

std::vector<int> Tokenizer::encode(std::string_view line) const {
  std::vector<int> ids;
  for (const std::string_view unit : cut(line, units_)) {
    if (units_ == Units::byte_pairs) {
      std::vector<int> symbols = spell(unit);
      while (merge_once(symbols)) {
      }
      ids.insert(ids.end(), symbols.begin(), symbols.end());
    } else {
      ids.push_back(id(unit));
    }
  }
  return ids;
}

std::string Tokenizer::decode(const std::vector<int>& ids) const {
  if (units_ == Units::byte_pairs) return join(ids);
  const bool of_characters = units_ == Units::characters;
  std::vector<std::string> parts;
  for (const int id : ids) {
    const std::string& token = symbol(id);
    if (id == kBos || id == kEos) continue;
    parts.push_back(of_characters && id == kUnknown ? "\uFFFD" : token);
  }
  return joined(parts, of_characters ? "" : " ");
}

std::vector<std::string_view> Tokenizer::unknown_words(std::string_view line) const {
  std::vector<std::string_view> unknown;
  if (units_ == Units::byte_pairs) return unknown;
  for (const std::string_view word : cut(line, units_)) {
    if (id(word) == kUnknown) unknown.push_back(word);
  }
  return unknown;
}

void count_units(Units units, std::string_view line, UnitCounts& counts) {
  for (const std::string_view unit : cut(line, units)) ++counts[std::string(unit)];
}

std::vector<std::string> by_frequency(const UnitCounts& counts) {
  std::vector<std::pair<std::int64_t, std::string_view>> ranked;
  for (const auto& [unit, count] : counts) ranked.emplace_back(-count, unit);
  std::sort(ranked.begin(), ranked.end());
  std::vector<std::string> units;
  for (const auto& [count, unit] : ranked) units.emplace_back(unit);
  return units;
}

Tokenizer most_frequent_words(const UnitCounts& counts, Index size, Units units) {
  ATTN_CHECK(size > kSpecialTokens, "a vocabulary of at most ", size,
             " tokens has no room for words: ", kSpecialTokens, " tokens are special");
  Tokenizer vocabulary(units);
  for (const std::string& word : by_frequency(counts)) {
    if (vocabulary.size() == size) break;
    if (!is_special(word)) vocabulary.add(word, "the corpus");
  }
  return vocabulary;
}

Tokenizer learn_tokenizer(Units units, const UnitCounts& counts, Index size) {
  if (units == Units::byte_pairs) return Tokenizer::learn_byte_pairs(counts, size);
  return most_frequent_words(counts, size, units);
}

constexpr std::string_view kTypographic = "\u2019";

static bool has_token_with(const Tokenizer& tokenizer, std::string_view part) {
  for (int id = kSpecialTokens; id < tokenizer.size(); ++id) {
    if (tokenizer.token(id).find(part) != std::string::npos) return true;
  }
  return false;
}

// A to Z as a to z, and À to Þ as à to þ, whose two bytes in UTF-8 are C3 and 80 to 9E (97 is ×).
static std::string with_small_letters(std::string_view word) {
  std::string small(word);
  for (std::size_t i = 0; i < small.size(); ++i) {
    const auto byte = static_cast<unsigned char>(small[i]);
    const bool after_c3 = i > 0 && small[i - 1] == '\xC3';
    const bool is_capital =
        after_c3 ? byte >= 0x80 && byte <= 0x9E && byte != 0x97 : byte >= 'A' && byte <= 'Z';
    if (is_capital) small[i] = static_cast<char>(byte + 32);
  }
  return small;
}

std::string as_known(const Tokenizer& tokenizer, std::string_view line) {
  std::string result(line);
  const bool apostrophe = line.find(kTypographic) != line.npos &&
                          !has_token_with(tokenizer, kTypographic) &&
                          has_token_with(tokenizer, "'");
  for (std::size_t at = 0; apostrophe && (at = result.find(kTypographic, at)) != result.npos;) {
    result.replace(at, kTypographic.size(), "'");
  }
  if (tokenizer.units() != Units::words) return result;
  // A word keeps its length, so the others stay where they are.
  const std::string typed = result;
  for (const std::string_view word : tokenizer.unknown_words(typed)) {
    const std::string small = with_small_letters(word);
    for (int id = kSpecialTokens; id < tokenizer.size(); ++id) {
      const std::string known = tokenizer.token(id);
      if (known.size() != word.size() || with_small_letters(known) != small) continue;
      result.replace(word.data() - typed.data(), word.size(), known);
      break;
    }
  }
  return result;
}

}  // namespace attn
