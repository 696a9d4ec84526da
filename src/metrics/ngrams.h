// Counting n-grams for BLEU.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/real.h"

namespace attn {

// The words of a text, which is UTF-8, with `between` in place of the white space between them;
// white space is as Unicode defines it, no-break space included.
std::string join_words(std::string_view text, std::string_view between);

// The n-grams of a text and how often each occurs. A key is the part of the text from the first
// byte of an n-gram's first piece to the last byte of its last.
using NgramCounts = std::unordered_map<std::string_view, Index>;
// pieces: parts of one text, in order.
NgramCounts count_ngrams(const std::vector<std::string_view>& pieces, std::size_t n);

// The number of n-grams of one that are also in the other, each counted at most as often as it
// occurs there.
Index matches(const NgramCounts& one, const NgramCounts& other);

}  // namespace attn
