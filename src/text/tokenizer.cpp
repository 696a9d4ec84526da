// Each function asks whichever kind of units this tokenizer has.
#include "text/tokenizer.h"

#include "base/check.h"
#include "text/pieces.h"

namespace attn {

int Tokenizer::size() const {
  return std::visit([](const auto& units) { return units.size(); }, units_);
}

std::string Tokenizer::token(int id) const {
  return std::visit([&](const auto& units) -> std::string { return units.token(id); }, units_);
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

std::string Tokenizer::text() const {
  return std::visit([](const auto& units) { return units.text(); }, units_);
}

Tokenizer Tokenizer::parse(std::string_view contents, std::string_view where) {
  const std::string words = tokenizer_heading("words"), bpe = tokenizer_heading("bpe"),
                    characters = tokenizer_heading("char");
  const std::string_view first = contents.substr(0, contents.find('\n'));
  if (first == bpe) return BytePairs::parse(contents, where);
  if (first == characters) return Vocabulary::parse(contents, where, Units::characters);
  ATTN_CHECK(first == words || contents.empty(), where, ", line 1: expected \"", words, "\", \"",
             characters, "\" or \"", bpe, "\": not a tokenizer, or one of another version");
  return Vocabulary::parse(contents, where);
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

}  // namespace attn
