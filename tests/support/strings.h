#pragma once

#include <string>
#include <vector>

#include "base/check.h"
#include "text/lines.h"

namespace attn::test {

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

}  // namespace attn::test
