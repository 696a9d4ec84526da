// A handful of warnings is help; hundreds would hide the output.
#include "app/terminal/unknown_words.h"

#include <cstdint>
#include <utility>

#include "app/terminal/console.h"
#include "base/check.h"
#include "base/printing.h"
#include "base/utf8.h"
#include "storage/json.h"
#include "text/lines.h"

namespace attn {

// "Africa" of "(Africa.".
static std::string_view without_punctuation(std::string_view word) {
  constexpr std::string_view kMarks = "!\"'(),-.:;?[]";
  const std::size_t begin = word.find_first_not_of(kMarks);
  return begin == word.npos ? "" : word.substr(begin, word.find_last_not_of(kMarks) + 1 - begin);
}

bool knows_letters_only(const Tokenizer& tokenizer) {
  if (tokenizer.units() != Units::words) return false;
  for (int id = kSpecialTokens; id < tokenizer.size(); ++id) {
    const std::string word = tokenizer.token(id);
    if (utf8_character(word) != word.size()) return false;
  }
  return tokenizer.size() > kSpecialTokens;
}

// Whether a text has letters that could also be written as a letter and an accent.
static bool has_accents(std::string_view text) {
  constexpr CodePoints kAccented[] = {
      {0xC0, 0x24F}, {0x386, 0x3CE}, {0x400, 0x45F}, {0x1E00, 0x1FFF}};
  for (const std::string_view character : characters(text)) {
    if (is_in(code_point(character), kAccented)) return true;
  }
  return false;
}

UnknownWords::UnknownWords(const Tokenizer& tokenizer, std::function<void()> clear)
    : tokenizer_(tokenizer),
      clear_(std::move(clear)),
      unit_(tokenizer.units() == Units::characters ? "character" : "word"),
      letters_only_(knows_letters_only(tokenizer)) {
  for (int id = kSpecialTokens; id < tokenizer.size() && !knows_accents_; ++id) {
    knows_accents_ = has_accents(tokenizer.token(id));
  }
}

void UnknownWords::tell_of_line(std::string_view line, const std::string& where) {
  if (is_blank(line)) return;
  for (const std::string_view word : tokenizer_.unknown_words(line)) tell(word, where);
  if (!knows_accents_ || !has_combining_marks(line)) return;
  knows_accents_ = false;  // once
  clear_();
  warn(where, "the accents are characters of their own (decomposed, as in macOS's file names and ",
       "text from PDFs), but the model has learned letters that include them, so it reads other ",
       "words than you see; compose the text: python3 -c 'import sys, unicodedata as u; ",
       "sys.stdout.write(u.normalize(\"NFC\", sys.stdin.read()))'");
}

// The word in quotes, as in JSON, so that no control character reaches the terminal. Characters
// that show nothing have their numbers, or the word would look like another.
static std::string quoted(std::string_view word) {
  const std::string json = attn::to_json(shortened(word));
  std::string result;
  for (const std::string_view character : characters(json)) {
    if (character == " " || !is_blank(character)) {
      result += character;
      continue;
    }
    const std::uint32_t number = code_point(character);
    result += number > 0xFFFF ? "\\U" : "\\u";
    for (int shift = number > 0xFFFF ? 28 : 12; shift >= 0; shift -= 4) {
      result += "0123456789abcdef"[number >> shift & 15];
    }
  }
  return result;
}

void UnknownWords::tell(std::string_view word, const std::string& where) {
  constexpr std::size_t kMost = 5;
  if (told_.size() > kMost || !told_.emplace(word).second) return;
  clear_();
  if (told_.size() > kMost) {
    return warn("there are more unknown ", unit_, "s; no more is said about them");
  }
  warn(where, "the model does not know the ", unit_, ' ', quoted(word), ", and reads <unk>");
  const std::string_view bare = without_punctuation(word);
  if (!hinted_ && bare != word && tokenizer_.id(bare) != kUnknown) {
    hinted_ = true;
    say(text("attention: hint: this model knows ", attn::to_json(std::string(bare)),
             ": leave punctuation out, or put spaces around it"));
  }
  if (letters_only_ && !hinted_ && utf8_character(word) < word.size()) {
    hinted_ = true;
    say(text("attention: hint: this model knows single letters only; put spaces between them: ",
             attn::to_json(joined(characters(shortened(word)), " "))));
  }
}

}  // namespace attn
