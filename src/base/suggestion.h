// "Did you mean …?" after a word that is not one of those expected.
#pragma once

#include <string>
#include <vector>

namespace attn {

// The number of letters that must be inserted, deleted, replaced or swapped with the next to turn
// one word into the other (Damerau 1964).
std::size_t edits(const std::string& a, const std::string& b);

// "; did you mean --d-model?" for the candidate that is most like the word, or "" if none is.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& prefix = "");

}  // namespace attn
