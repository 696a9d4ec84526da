// Lines without words are set aside; all others are one batch for beam search.
#include "decoding/translate.h"

#include <algorithm>

#include "text/corpus.h"
#include "text/lines.h"

namespace attn {

std::vector<std::vector<TranslatedLine>> translate(const SequenceModel& model,
                                                   const Tokenizer& tokenizer,
                                                   const std::vector<std::string>& lines,
                                                   BeamOptions options) {
  options.unknown = tokenizer.writes_unknown();
  std::vector<std::vector<TranslatedLine>> translations(lines.size());
  PackedIds sources;
  std::vector<std::size_t> line_of;  // the line of each source
  for (std::size_t n = 0; n < lines.size(); ++n) {
    if (is_blank(lines[n])) {
      translations[n] = {{"", 0}};
      continue;
    }
    sources.append(encode_source(tokenizer, lines[n]));
    line_of.push_back(n);
  }

  // Several of the best may be the same text, so all that the beam finds are asked for.
  const Index wanted = options.n_best;
  if (wanted > 1) options.n_best = std::max(wanted, options.beam);
  const auto found = beam_search(model, sources, options);
  for (std::size_t b = 0; b < found.size(); ++b) {
    std::vector<TranslatedLine>& best = translations[line_of[b]];
    for (const Translation& translation : found[b]) {
      if (static_cast<Index>(best.size()) == wanted) break;
      const std::string line = tokenizer.decode(translation.tokens);
      const bool seen = std::any_of(best.begin(), best.end(),
                                    [&](const TranslatedLine& one) { return one.line == line; });
      if (!seen) best.push_back({line, translation.score});
    }
  }
  return translations;
}

}  // namespace attn
