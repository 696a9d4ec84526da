// decoder.0.cross_attention.heads.0.S: rows are tokens of the target, columns those of the source.
#include "trace/token_labels.h"

#include "trace/names.h"

namespace attn {

// The last n of these; none if there are fewer.
static Labels last_ones(const Labels& labels, Index n, bool all) {
  const Index count = static_cast<Index>(labels.size());
  if (count < n || (all && count != n)) return {};
  return {labels.end() - n, labels.end()};
}

void put_labels(const TraceTokens& tokens, bool one_sequence, TraceValue& value) {
  const std::string& name = value.name;
  const Index rows = value.row_count(), columns = value.data.cols();
  const Labels& words = tokens.vocabulary;
  if (fits("embedding.*weight|*_embedding.*weight|dE", name)) {
    // Of an untied source, the words are others.
    if (rows <= static_cast<Index>(words.size())) value.rows = words;
    return;
  }
  if (fits("logits|p|q|dlogits|projection.*weight", name))
    value.columns = last_ones(words, columns, true);
  if (value.weight || value.stage == "Parameters") return;

  const Labels& target = one_sequence ? tokens.sequence : tokens.target_input;
  const Labels& source = one_sequence ? tokens.sequence : tokens.source;
  const Labels& predicted = one_sequence ? tokens.following : tokens.target_output;
  const bool of_source = is_of_source(name);
  value.rows = last_ones(fits("y|losses|q", name) ? predicted
                         : of_source              ? source
                                                  : target,
                         rows, !one_sequence);
  if (!fits("S|A|P|dP|dS", name)) return;
  const bool asks_source = of_source || sublayer_of(name) == "cross_attention";
  value.columns = last_ones(asks_source ? source : target, columns, true);
}

}  // namespace attn
