// A file with fewer tokens than the model has learned would turn known words into <unk>, so one
// that may have lost its end is refused.
#include <set>

#include "base/check.h"
#include "base/number.h"
#include "base/utf8.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace attn {

namespace {

std::string heading(Units units) {
  return text("attention-tokenizer 1 ", units == Units::words        ? "words"
                                        : units == Units::characters ? "char"
                                                                     : "bpe");
}

// The lines of a file, and how messages about one begin.
struct File {
  std::vector<std::string> lines;
  std::string_view name;
  std::string at(std::size_t line) const { return text(name, ", line ", line + 1); }
};
constexpr std::size_t kFirstToken = 2;  // the line of token 0

// The reverse of written_token(). What that would not write comes out as some other token.
std::string read_token(std::string_view written) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string token;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const auto next = [&](std::size_t k) { return i + k < written.size() ? written[i + k] : '\0'; };
    if (written[i] != '\\') {
      token += written[i] == '_' ? kPieceEnd : written[i];
    } else if (next(1) == 'x') {
      token += static_cast<char>(kDigits.find(next(2)) * 16 + kDigits.find(next(3)));
      i += 3;
    } else {
      token += next(1) == 's' ? ' ' : next(1);
      ++i;
    }
  }
  return token;
}

Tokenizer read_words(const File& file, Units units) {
  Tokenizer vocabulary(units);
  for (std::size_t n = kFirstToken + kSpecialTokens; n < file.lines.size(); ++n) {
    const std::string& line = file.lines[n];
    vocabulary.add(units == Units::words ? line : read_token(line), file.at(n));
  }
  return vocabulary;
}

Tokenizer read_byte_pairs(const File& file, std::size_t tokens) {
  Tokenizer pairs(Units::byte_pairs);
  std::size_t n = kFirstToken + static_cast<std::size_t>(pairs.size());
  ATTN_CHECK(n <= kFirstToken + tokens, file.at(1), ": expected at least ", pairs.size());
  for (; n < kFirstToken + tokens; ++n) {
    const std::string &line = file.lines[n], token = read_token(line);
    const bool utf8 = first_invalid_utf8(line) == line.size();
    ATTN_CHECK(utf8 && !token.empty() && pairs.id(token) == kUnknown, file.at(n),
               ": a token that is empty, not UTF-8 or there already");
    pairs.add_symbol(token);
  }
  std::set<int> made;
  for (; n < file.lines.size(); ++n) {
    const std::vector<std::string> sides = split(file.lines[n], ' ');
    const int left = pairs.id(read_token(sides[0])), right = pairs.id(read_token(sides.back()));
    ATTN_CHECK(sides.size() == 2 && left >= Tokenizer::kFirstCharacter && right != kUnknown,
               file.at(n), ": expected a merge, two tokens and a space between them");
    made.insert(pairs.add_merge(left, right));
  }
  // A character needs no merge; every other token has one.
  for (int id = Tokenizer::kFirstCharacter; id < pairs.size(); ++id) {
    const std::string token = read_token(pairs.token(id));
    const std::string after = token.substr(first_character(token).size());
    ATTN_CHECK(made.count(id) > 0 || after.empty() || after[0] == kPieceEnd, file.name,
               ": no merge makes the token ", pairs.token(id), "; the file is cut short");
  }
  return pairs;
}

}  // namespace

std::string Tokenizer::text() const {
  std::string contents = attn::text(heading(units_), '\n', size(), '\n');
  for (int id = 0; id < size(); ++id) contents += token(id) + '\n';
  for (const auto& [left, right] : merges_) contents += token(left) + ' ' + token(right) + '\n';
  return contents;
}

Tokenizer Tokenizer::parse(std::string_view contents, std::string_view where) {
  ATTN_CHECK(!contents.empty(), where, " is empty, expected a tokenizer");
  const std::string first(contents.substr(0, contents.find('\n')));
  ATTN_CHECK(first.rfind("\xEF\xBB\xBF", 0) != 0 && (first.empty() || first.back() != '\r'), where,
             ", line 1: another program has put a byte order mark or carriage returns into this ",
             "file; use a copy that has none");
  const bool bpe = first == heading(Units::byte_pairs), char_ = first == heading(Units::characters);
  ATTN_CHECK(bpe || char_ || first == heading(Units::words), where, ", line 1: expected \"",
             heading(Units::words), "\", \"", heading(Units::characters), "\" or \"",
             heading(Units::byte_pairs), "\": not a tokenizer, or one of another version");
  // A file that does not end in a newline may have lost the end of its last token.
  ATTN_CHECK(contents.back() == '\n', where, " does not end in a newline: is it cut short?");
  contents.remove_suffix(1);
  const File file{split(contents, '\n'), where};

  const std::string count = file.lines.size() > 1 ? file.lines[1] : "";
  const std::size_t follow = file.lines.size() - std::min(file.lines.size(), kFirstToken);
  const std::size_t tokens = number_in<std::size_t>(count).value_or(0);
  ATTN_CHECK(count == attn::text(tokens) && (bpe ? tokens <= follow : tokens == follow), file.at(1),
             ": expected the number of tokens, ", bpe ? "at most " : "", follow,
             ", as so many lines follow; is the file cut short?");
  const Tokenizer read = bpe ? read_byte_pairs(file, tokens)
                             : read_words(file, char_ ? Units::characters : Units::words);
  const std::vector<std::string> written = split(read.text(), '\n');
  for (std::size_t n = 0; n + 1 < written.size(); ++n) {
    ATTN_CHECK(n < file.lines.size(), where, " ends before ", written[n], ": is it cut short?");
    ATTN_CHECK(file.lines[n] == written[n], file.at(n), ": expected ", written[n]);
  }
  return read;
}

}  // namespace attn
