// A handful of warnings is help; hundreds would hide the output.
#include "app/terminal/unknown_words.h"

#include <cstdio>

#include "app/terminal/console.h"
#include "app/terminal/printing.h"
#include "base/utf8.h"
#include "storage/json.h"
#include "text/lines.h"
#include "trace/subject.h"

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

// Whether there are letters that could also be written as a letter and an accent, but are not.
static bool knows_composed_accents(const Tokenizer& tokenizer) {
  constexpr CodePoints kAccented[] = {
      {0xC0, 0x24F}, {0x386, 0x3CE}, {0x400, 0x45F}, {0x1E00, 0x1FFF}};
  bool found = false;
  for (int id = kSpecialTokens; id < tokenizer.size(); ++id) {
    const std::string word = tokenizer.token(id);
    if (has_combining_marks(word)) return false;
    for (const std::string_view character : characters(word)) {
      found = found || is_in(code_point(character), kAccented);
    }
  }
  return found;
}

void UnknownWords::tell_of_line(std::string_view line, const std::string& where) {
  if (is_blank(line)) return;
  for (const std::string_view word : tokenizer_.unknown_words(line)) tell(word, where);
  tell_of_accents(line, where);
}

void UnknownWords::tell_of_accents(std::string_view line, const std::string& where) {
  if (saw_accents_ || !has_combining_marks(line)) return;
  saw_accents_ = true;
  if (!knows_composed_accents(tokenizer_)) return;
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
    const unsigned number = code_point(character);
    char escape[16];
    std::snprintf(escape, sizeof escape, number > 0xFFFF ? "\\U%08x" : "\\u%04x", number);
    result += escape;
  }
  return result;
}

void UnknownWords::tell(std::string_view word, const std::string& where) {
  constexpr std::size_t kMost = 5;
  if (told_.size() > kMost || !told_.emplace(word).second) return;
  const char* const unit = tokenizer_.units() == Units::characters ? "character" : "word";
  if (told_.size() > kMost) {
    return warn("there are more unknown ", unit, "s; no more is said about them");
  }
  warn(where, "the model does not know the ", unit, ' ', quoted(word), ", and reads <unk>");
  const std::string_view bare = without_punctuation(word);
  if (!hinted_ && bare != word && tokenizer_.id(bare) != kUnknown) {
    hinted_ = true;
    say(text("attention: hint: this model knows ", attn::to_json(std::string(bare)),
             ": leave punctuation out, or put spaces around it"));
  }
  if (!hinted_ && utf8_character(word) < word.size() && knows_letters_only(tokenizer_)) {
    hinted_ = true;
    say(text("attention: hint: this model knows single letters only; put spaces between them: ",
             attn::to_json(joined(characters(shortened(word)), " "))));
  }
}

void tell_of_unknown_words(const TraceSubject& subject) {
  UnknownWords unknown(subject.tokenizer);
  unknown.tell_of_line(subject.source, "");
  if (subject.translated) return;
  for (const std::string& line : split(subject.target, '\n')) unknown.tell_of_line(line, "");
}

}  // namespace attn
