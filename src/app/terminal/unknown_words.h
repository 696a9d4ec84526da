// What the user is told about words or characters that a model does not know.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "text/tokenizer.h"

namespace attn {

// Whether every word is a single character, as in the tasks copy and reverse.
bool knows_letters_only(const Vocabulary& vocabulary);

class UnknownWords {
 public:
  explicit UnknownWords(const Tokenizer& tokenizer);

  // Warns of each word once, and of no more than a few. `where`, "line 3: ", is put before it.
  // A model that knows single letters only is no help with "hello", nor one without punctuation
  // with "Africa.": then a hint says so, once.
  void tell(std::string_view word, const std::string& where);

 private:
  const Vocabulary vocabulary_;
  const char* const unit_;  // "word" or "character"
  bool letters_only_;
  bool hinted_ = false;
  std::set<std::string> told_;
};

}  // namespace attn
