// A layer has one attention, and both sides of a pair are in one sequence.
#include "lab/language/decoder_only_config.h"

namespace attn {

Index parameter_count(const DecoderOnlyConfig& c) {
  return count_weights(c, (c.tie_embeddings ? 1 : 2) * to_double(c.target_vocabulary), 1, 1);
}

ModelFacts facts_of(const DecoderOnlyConfig& c) {
  ModelFacts facts = basic_facts(c);
  facts.one_sequence = true;
  facts.predicts_source = c.loss_on_all;
  // A sequence is as long as both its sides.
  facts.longest_sentence = longest_window(c) / 2;
  estimate_kept(c, 1, 1, facts);
  facts.kept_per_token *= 2;
  facts.kept_per_pair *= 4;
  return facts;
}

Index longest_window(const DecoderOnlyConfig& config) {
  return config.positions == Positions::learned ? config.max_positions : kAnyLength;
}

void check(const DecoderOnlyConfig& c) {
  check_settings(c);
  ATTN_CHECK(c.source_vocabulary == c.target_vocabulary,
             "a decoder-only model has one vocabulary, not ", c.source_vocabulary, " and ",
             c.target_vocabulary, " tokens");
  parameter_count(c);
}

}  // namespace attn
