// A layer has one attention, and both sides of a pair are in one sequence.
#include "lab/language/decoder_only_config.h"

#include "model/checked_config.h"

namespace attn {

Index parameter_count(const DecoderOnlyConfig& c) {
  return count_weights(c, (c.tie_embeddings ? 1 : 2) * to_double(c.target_vocabulary), 1, 1);
}

double training_memory(const DecoderOnlyConfig& c, Index tokens, Index sentence_length,
                       Index further_copies) {
  return training_bytes(parameter_count(c), further_copies,
                        count_activations(c, 1, 1, 2 * tokens, 2 * sentence_length),
                        c.loss_on_all ? 2 * tokens : tokens, c.target_vocabulary);
}

Index longest_window(const DecoderOnlyConfig& config) {
  return config.positions == Positions::learned ? config.max_positions : kAnyLength;
}

Index longest_sentence(const DecoderOnlyConfig& config) {
  return longest_window(config) / 2;
}

void check(const DecoderOnlyConfig& c) {
  check_settings(c);
  ATTN_CHECK(c.source_vocabulary == c.target_vocabulary,
             "a decoder-only model has one vocabulary, not ", c.source_vocabulary, " and ",
             c.target_vocabulary, " tokens");
  parameter_count(c);
}

}  // namespace attn
