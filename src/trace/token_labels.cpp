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
  if (fits("embedding.*weight|*_embedding.*weight|*.dE", name)) {
    // Of an untied source, the words are others.
    if (rows <= static_cast<Index>(words.size())) value.rows = words;
    return;
  }
  if (fits("logits|p|q|dlogits|projection.*weight", name)) value.columns = last_ones(words, columns, true);
  if (value.weight || value.stage == "Parameters") return;

  const bool source = stack_of(name) == "encoder", cross = sublayer_of(name) == "cross_attention";
  const Labels& read = one_sequence ? tokens.sequence : source ? tokens.source : tokens.target_input;
  const Labels& asked = cross && !one_sequence ? tokens.source : read;
  const bool of_keys = fits("*.*.*.heads.*.K|*.*.*.heads.*.V|*.*.*.heads.*.dK|*.*.*.heads.*.dV|"
                            "*.*.*.K_0|*.*.*.dK_0|*.*.*.dz_K|*.*.*.dz_V", name);
  const bool of_scores = fits("*.*.*.heads.*.S|*.*.*.heads.*.A|*.*.*.heads.*.P|*.*.*.heads.*.dP|"
                              "*.*.*.heads.*.dS", name);
  const bool predicted = name == "y" || name == "losses" || name == "q";
  value.rows = last_ones(predicted ? (one_sequence ? tokens.following : tokens.target_output)
                    : of_keys ? asked
                              : read,
                    rows, !one_sequence);
  if (of_scores) value.columns = last_ones(asked, columns, true);
}

}  // namespace attn
