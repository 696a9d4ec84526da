// Each function asks whichever kind of units this tokenizer has.
#include "text/tokenizer.h"

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

}  // namespace attn
