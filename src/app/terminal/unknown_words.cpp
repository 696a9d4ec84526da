#include "app/terminal/unknown_words.h"

#include "app/terminal/console.h"
#include "base/check.h"
#include "base/utf8.h"
#include "storage/json.h"

namespace attn {

namespace {

// "h e l l o"
std::string spelled(std::string_view word) {
  std::string letters;
  for (; !word.empty(); word.remove_prefix(first_character(word).size())) {
    letters += (letters.empty() ? "" : " ") + std::string(first_character(word));
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
           attn::to_json(shortened(word)), ", and reads <unk>"));
  if (letters_only_ && !hinted_ && utf8_character(word) < word.size()) {
    hinted_ = true;
    say(text("attention: hint: this model knows single letters only; put spaces between them: ",
             attn::to_json(spelled(shortened(word)))));
  }
}

}  // namespace attn
