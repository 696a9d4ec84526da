// Lines cut into words and what is between them, as the authors' own code does it (tensor2tensor's
// tokenizer): runs of letters and digits, and runs of everything else. A single space between two
// words is left out, since two words in a row can only have been separated by one:
//
//     Jane visite l'Afrique.  →  Jane  visite  l  '  Afrique  .
#pragma once

#include <string_view>
#include <vector>

namespace attn {

// The pieces of a line of UTF-8, which are parts of it.
std::vector<std::string_view> pieces(std::string_view line);

// Whether a character of UTF-8 belongs to a word: letters, digits, and whatever else is not known
// to be punctuation, a symbol or white space.
bool is_word_character(std::string_view character);

}  // namespace attn
