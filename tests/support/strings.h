#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "base/check.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace attn::test {

// That work throws an Error with this message, or with one that holds it: Contains(message).
#define CHECK_ERROR(work, message) CHECK_THROWS_WITH_AS(work, message, ::attn::Error)
using doctest::Contains;

inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}
// What the Error says that work() throws; empty if it throws none.
template <class Work>
std::string thrown_by(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}
inline std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> all;
  for (const std::string_view word : words(line)) all.emplace_back(word);
  return all;
}
// A vocabulary learned from these lines.
inline Tokenizer learned(Units units, const std::vector<std::string>& lines, Index size) {
  UnitCounts counts;
  for (const std::string& line : lines) count_units(units, line, counts);
  return learn_tokenizer(units, counts, size);
}
// A code point by the table in RFC 3629, section 3.
inline std::string utf8_of(unsigned point) {
  const auto tail = [](unsigned bits) { return static_cast<char>(0x80 | (bits & 0x3F)); };
  if (point < 0x80) return {static_cast<char>(point)};
  if (point < 0x800) return {static_cast<char>(0xC0 | point >> 6), tail(point)};
  if (point < 0x10000) {
    return {static_cast<char>(0xE0 | point >> 12), tail(point >> 6), tail(point)};
  }
  return {static_cast<char>(0xF0 | point >> 18), tail(point >> 12), tail(point >> 6), tail(point)};
}

}  // namespace attn::test
