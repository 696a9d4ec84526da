// A file with fewer tokens than the model has learned would turn known words into <unk>, so one
// that may have lost its end is refused.
#include <charconv>
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

// The reverse of written_token().
std::string read_token(const std::string& written, const std::string& where) {
  std::string token;
  for (std::size_t i = 0; i < written.size(); ++i) {
    const char next = i + 1 < written.size() ? written[i + 1] : '\0';
    if (written[i] == '_') {
      ATTN_CHECK(next == '\0', where, ": a mark _ before the end of a token");
      token += kPieceEnd;
    } else if (written[i] != '\\') {
      token += written[i];
    } else if (next == 'x') {
      unsigned char byte = 0;
      const char* digits = written.data() + std::min(i + 2, written.size());
      std::from_chars(digits, written.data() + std::min(i + 4, written.size()), byte, 16);
      token += static_cast<char>(byte);
      i += 3;
    } else {
      token += next == 's' ? ' ' : next;
      ++i;
    }
  }
  ATTN_CHECK(written_token(token) == written, where,
             ": a token that is not written as the program writes it");
  return token;
}

// Checks the tokens that every tokenizer of this kind begins with, and returns the line after them.
template <class Kind>
std::size_t check_first_tokens(const File& file, const Kind& empty) {
  std::size_t line = kFirstToken;
  for (int id = 0; id < empty.size(); ++id, ++line) {
    ATTN_CHECK(line < file.lines.size(), file.name, " ends before the token ", empty.token(id),
               ": is it cut short?");
    ATTN_CHECK(file.lines[line] == empty.token(id), file.at(line), ": expected ", empty.token(id));
  }
  return line;
}

Vocabulary read_vocabulary(const File& file, Units units) {
  Vocabulary vocabulary(units);
  for (std::size_t n = check_first_tokens(file, vocabulary); n < file.lines.size(); ++n) {
    const std::string& line = file.lines[n];
    vocabulary.add(units == Units::words ? line : read_token(line, file.at(n)), file.at(n));
  }
  return vocabulary;
}

BytePairs read_byte_pairs(const File& file, std::size_t tokens) {
  BytePairs pairs;
  std::size_t n = check_first_tokens(file, pairs);
  ATTN_CHECK(n <= kFirstToken + tokens, file.at(1), ": expected at least ", pairs.size(),
             " tokens");
  for (; n < kFirstToken + tokens; ++n) {
    const std::string token = read_token(file.lines[n], file.at(n));
    const bool marked = token.size() > 1 && token.back() == kPieceEnd;
    const std::string_view characters(token.data(), token.size() - marked);
    ATTN_CHECK(!token.empty() && first_invalid_utf8(characters) == characters.size(), file.at(n),
               ": a token that is empty or not UTF-8");
    ATTN_CHECK(pairs.id(token) < 0, file.at(n), ": the token ", file.lines[n], " appears twice");
    pairs.add(token);
  }
  std::set<int> made;
  std::set<std::string> merges;
  for (; n < file.lines.size(); ++n) {
    const std::vector<std::string> sides = split(file.lines[n], ' ');
    ATTN_CHECK(sides.size() == 2, file.at(n),
               ": expected a merge, two tokens and a space between them");
    const int left = pairs.id(read_token(sides[0], file.at(n)));
    const int right = pairs.id(read_token(sides[1], file.at(n)));
    ATTN_CHECK(left >= BytePairs::kFirstCharacter && right >= 0, file.at(n),
               ": a merge of symbols that are not tokens");
    ATTN_CHECK(merges.insert(file.lines[n]).second, file.at(n), ": this merge appears twice");
    made.insert(pairs.add_merge(left, right));
    ATTN_CHECK(pairs.size() == static_cast<int>(tokens), file.at(n),
               ": a merge whose result is not a token");
  }
  // A character needs no merge; every other token has one.
  for (int id = BytePairs::kFirstCharacter; id < pairs.size(); ++id) {
    const std::string token = read_token(pairs.token(id), "");
    const std::string after = token.substr(first_character(token).size());
    ATTN_CHECK(made.count(id) > 0 || after.empty() || after[0] == kPieceEnd, file.name,
               ": no merge makes the token ", pairs.token(id), "; the file is cut short");
  }
  return pairs;
}

}  // namespace

std::string Tokenizer::text() const {
  const BytePairs* pairs = byte_pairs();
  std::string contents = heading(pairs != nullptr ? Units::byte_pairs : words()->units());
  contents += attn::text('\n', size(), '\n');
  for (int id = 0; id < size(); ++id) contents += token(id) + '\n';
  if (pairs == nullptr) return contents;
  for (const auto& [left, right] : pairs->merges()) {
    contents += token(left) + ' ' + token(right) + '\n';
  }
  return contents;
}

Tokenizer Tokenizer::parse(std::string_view contents, std::string_view where) {
  ATTN_CHECK(!contents.empty(), where, " is empty, expected a tokenizer");
  const std::string first(contents.substr(0, contents.find('\n')));
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
  if (bpe) return read_byte_pairs(file, tokens);
  return read_vocabulary(file, char_ ? Units::characters : Units::words);
}

}  // namespace attn
