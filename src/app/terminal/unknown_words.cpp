// A handful of warnings is help; hundreds would hide the output.
#include "app/terminal/unknown_words.h"

#include "app/terminal/console.h"
#include "base/check.h"
#include "base/utf8.h"
#include "storage/json.h"

namespace attn {

namespace {

// "h e l l o", and no more than the first letters of a long word.
std::string spelled(std::string_view word) {
  constexpr int kMost = 20;
  std::string letters;
  for (int i = 0; !word.empty(); ++i) {
    if (i == kMost) return letters + " …";
    const std::size_t length = utf8_character(word);
    letters += (i > 0 ? " " : "") + std::string(word.substr(0, length));
    word.remove_prefix(length);
  }
  return letters;
}

}  // namespace

UnknownWords::UnknownWords(const Tokenizer& tokenizer)
    : letters_only_(tokenizer.words() != nullptr && knows_letters_only(*tokenizer.words())) {}

void UnknownWords::tell(std::string_view word, const std::string& where) {
  constexpr std::size_t kMost = 5;
  if (told_.size() > kMost || !told_.emplace(word).second) return;
  if (told_.size() > kMost) {
    say("attention: warning: there are more unknown words; no more is said about them");
    return;
  }
  // Quoted as in JSON, so that no control character reaches the terminal.
  say(text("attention: warning: ", where, "the model does not know the word ",
           attn::to_json(std::string(word)), ", and reads <unk>"));
  if (letters_only_ && !hinted_ && utf8_character(word) < word.size()) {
    hinted_ = true;
    say(text("attention: hint: this model knows single letters only; put spaces between them: ",
             attn::to_json(spelled(word))));
  }
}

}  // namespace attn
