// Each function asks whichever kind of units this tokenizer has.
#include "text/tokenizer.h"

#include <algorithm>

namespace attn {

int Tokenizer::size() const {
  return std::visit([](const auto& units) { return units.size(); }, units_);
}

std::string Tokenizer::token(int id) const {
  return std::visit([&](const auto& units) { return units.token(id); }, units_);
}

std::vector<int> Tokenizer::encode(std::string_view line) const {
  return std::visit([&](const auto& units) { return units.encode(line); }, units_);
}

std::string Tokenizer::decode(const std::vector<int>& ids) const {
  return std::visit([&](const auto& units) { return units.decode(ids); }, units_);
}

std::vector<std::string_view> Tokenizer::unknown_words(std::string_view line) const {
  std::vector<std::string_view> unknown;
  const Vocabulary* known = words();
  if (known == nullptr) return unknown;
  for (const std::string_view word : known->cut(line)) {
    if (known->id(word) == kUnknown) unknown.push_back(word);
  }
  return unknown;
}

void count_units(Units units, std::string_view line, UnitCounts& counts) {
  const bool bpe = units == Units::byte_pairs;
  const std::vector<std::string_view> cut = bpe ? pieces(line) : Vocabulary(units).cut(line);
  for (const std::string_view unit : cut) ++counts[std::string(unit)];
}

Tokenizer learn_tokenizer(Units units, const UnitCounts& counts, Index size) {
  if (units == Units::byte_pairs) return BytePairs::learn(counts, size);
  return most_frequent_words(counts, size, units);
}

constexpr std::string_view kTypographic = "\u2019";

static bool has_token_with(const Tokenizer& tokenizer, std::string_view part) {
  for (int id = kSpecialTokens; id < tokenizer.size(); ++id) {
    if (tokenizer.token(id).find(part) != std::string::npos) return true;
  }
  return false;
}

static bool is_same_but_for_capitals(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

std::string as_known(const Tokenizer& tokenizer, std::string_view line) {
  std::string result(line);
  const bool apostrophe = line.find(kTypographic) != line.npos &&
                          !has_token_with(tokenizer, kTypographic) &&
                          has_token_with(tokenizer, "'");
  for (std::size_t at = 0; apostrophe && (at = result.find(kTypographic, at)) != result.npos;) {
    result.replace(at, kTypographic.size(), "'");
  }
  const Vocabulary* const vocabulary = tokenizer.words();
  if (vocabulary == nullptr || vocabulary->units() != Units::words) return result;
  // A word keeps its length, so the others stay where they are.
  const std::string typed = result;
  for (const std::string_view word : tokenizer.unknown_words(typed)) {
    for (int id = kSpecialTokens; id < vocabulary->size(); ++id) {
      const std::string& known = vocabulary->token(id);
      if (!is_same_but_for_capitals(word, known)) continue;
      result.replace(static_cast<std::size_t>(word.data() - typed.data()), word.size(), known);
      break;
    }
  }
  return result;
}

}  // namespace attn
