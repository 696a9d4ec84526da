// Reading refuses whatever writing would have written differently, so a file that was cut or edited
// by accident is noticed.
#include "base/check.h"
#include "base/format.h"
#include "base/number.h"
#include "base/utf8.h"
#include "text/bpe.h"
#include "text/lines.h"

namespace attn {

std::string BytePairs::token(int id) const {
  const std::string& its_symbol = symbol(id);
  if (id < kFirstByte) return its_symbol;
  return id < kMark ? "\\x" + hexadecimal(its_symbol[0]) : written_token(its_symbol);
}

std::string BytePairs::text() const {
  std::string result = tokenizer_heading("bpe") + attn::text('\n', size(), '\n');
  for (int id = 0; id < size(); ++id) result += token(id) + '\n';
  for (const auto& [left, right] : merges_) result += token(left) + ' ' + token(right) + '\n';
  return result;
}

BytePairs BytePairs::parse(std::string_view contents, std::string_view where) {
  const std::vector<std::string> lines = tokenizer_lines(contents, "bpe", where);
  const auto at = [&](std::size_t line) { return attn::text(where, ", line ", line + 1, ": "); };
  const auto size = number_in<int>(lines.size() > 1 ? lines[1] : "").value_or(0);
  ATTN_CHECK(size >= kFirstCharacter, at(1), "expected the number of tokens, at least ",
             kFirstCharacter);
  const std::size_t tokens_end = static_cast<std::size_t>(size) + 2;
  ATTN_CHECK(lines.size() >= tokens_end, where, ": has ", lines.size() - 2, " of ", size,
             " tokens; the file is cut short");

  BytePairs result;
  std::size_t line = 2;
  for (; line < static_cast<std::size_t>(kFirstCharacter) + 2; ++line) {
    const std::string expected = result.token(static_cast<int>(line) - 2);
    ATTN_CHECK(lines[line] == expected, at(line), "expected ", expected);
  }
  for (; line < tokens_end; ++line) {
    const std::string symbol = read_token(lines[line], at(line));
    const std::string_view characters = std::string_view(symbol).substr(
        0, symbol.size() - (symbol.size() > 1 && symbol.back() == kEnd));
    ATTN_CHECK(!characters.empty() && first_invalid_utf8(characters) == characters.size(), at(line),
               "a token that is empty or not UTF-8");
    ATTN_CHECK(result.id_of(symbol) < 0, at(line), "the token ", lines[line], " appears twice");
    result.add(symbol);
  }
  for (; line < lines.size(); ++line) {
    const std::vector<std::string> sides = split(lines[line], ' ');
    ATTN_CHECK(sides.size() == 2, at(line),
               "expected a merge, two tokens and a space between them");
    const int left = result.id_of(read_token(sides[0], at(line)));
    const int right = result.id_of(read_token(sides[1], at(line)));
    ATTN_CHECK(left >= kFirstCharacter && right >= 0, at(line),
               "a merge of symbols that are not tokens");
    ATTN_CHECK(result.ranks_.count(pair_key(left, right)) == 0, at(line),
               "this merge appears twice");
    result.add_merge(left, right);
    ATTN_CHECK(result.size() == size, at(line), "a merge whose result is not a token");
  }
  // A character needs no merge; every other token has one.
  std::vector<bool> is_made(result.tokens_.size());
  for (const auto& [key, merge] : result.ranks_) {
    is_made[static_cast<std::size_t>(merge.result)] = true;
  }
  for (std::size_t id = kFirstCharacter; id < result.tokens_.size(); ++id) {
    std::string_view symbol = result.tokens_[id];
    symbol.remove_prefix(first_character(symbol).size());
    ATTN_CHECK(is_made[id] || symbol.empty() || symbol[0] == kEnd, where,
               ": no merge makes the token ", written_token(result.tokens_[id]),
               "; the file is cut short");
  }
  return result;
}

}  // namespace attn
