// What people type, in the spelling that a model knows.
#pragma once

#include <string>
#include <string_view>

#include "text/tokenizer.h"

namespace attn {

// The line with ’ (U+2019, what phones type) as ', unless the tokenizer knows ’; and of a
// vocabulary of words, a word that it knows with other capitals only as that word: jane as Jane.
std::string as_known(const Tokenizer& tokenizer, std::string_view line);

}  // namespace attn
