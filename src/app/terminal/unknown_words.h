// What the user is told about words or characters that a model does not know.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "text/tokenizer.h"

namespace attn {

struct TraceSubject;

// Whether there are words, each a single character, as in the tasks copy and reverse.
bool knows_letters_only(const Tokenizer& tokenizer);

class UnknownWords {
 public:
  // The tokenizer must outlive it.
  explicit UnknownWords(const Tokenizer& tokenizer) : tokenizer_(tokenizer) {}

  // Warns of each unknown word of a line once, and of only a few. `where`, "line 3: ", comes first.
  // Hints, once, if the model knows only single letters ("hello") or no punctuation ("Africa.").
  void tell_of_line(std::string_view line, const std::string& where);
  // Warns, once, of accents that are characters of their own, if the model knows only letters that
  // include them: it reads other words than one sees. tell_of_line does so too.
  void tell_of_accents(std::string_view line, const std::string& where);

 private:
  void tell(std::string_view word, const std::string& where);

  const Tokenizer& tokenizer_;
  bool hinted_ = false, saw_accents_ = false;
  std::set<std::string> told_;
};

// Warns of the unknown words of what is traced, but not of the model's own translation.
void tell_of_unknown_words(const TraceSubject& subject);

}  // namespace attn
