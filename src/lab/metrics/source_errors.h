// The error rate of sources, where one has several right targets, such as a word with two
// pronunciations.
#pragma once

#include <vector>

#include "text/corpus.h"

namespace attn {

// Lines with the same source are one source with several right targets; it is wrong if its
// translation is none of them. Empty ones do not count.
struct SourceErrors {
  Index sources = 0, wrong = 0;
  Index repeats = 0;  // lines whose source is that of a line before
};
// matches: of exact_matches (metrics/exact_match.h), for these pairs.
SourceErrors source_errors(const std::vector<TextPair>& pairs, const std::vector<bool>& matches);

}  // namespace attn
