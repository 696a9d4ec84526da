// Words that are known are left alone, so a line that was trained on stays as it is.
#include "text/typed.h"

#include <algorithm>

namespace attn {

namespace {

constexpr std::string_view kTypographic = "\u2019";

bool has_token_with(const Tokenizer& tokenizer, std::string_view part) {
  for (int id = kSpecialTokens; id < tokenizer.size(); ++id) {
    if (tokenizer.token(id).find(part) != std::string::npos) return true;
  }
  return false;
}

bool is_same_but_for_capitals(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

}  // namespace

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
