// The shape of a recurrent encoder–decoder.
#pragma once

#include "base/settings.h"
#include "lab/predecessors/cells.h"
#include "tensor/packed.h"

namespace attn {

enum class RecurrentAttention { none, bahdanau, luong_dot, luong_general, luong_concat };

struct RecurrentConfig {
  Cell cell = Cell::gru;  // which is the name of the architecture: rnn, gru, lstm
  RecurrentAttention attention = RecurrentAttention::none;
  Index source_vocabulary = 0;  // the same for both if the embeddings are tied
  Index target_vocabulary = 0;
  Index layers = 2;      // in the encoder and again in the decoder
  Index d_model = 512;   // n, the width of states, and that of embeddings
  double dropout = 0.1;  // on embeddings, between layers and before the output projection
  double label_smoothing = 0.1;
  bool tie_embeddings = true;

  // Bahdanau's encoder reads in both directions, and writes both states of a token.
  bool bidirectional() const { return attention == RecurrentAttention::bahdanau; }
  // The width of the encoder's output.
  Index d_encoded() const { return bidirectional() ? 2 * d_model : d_model; }
};

// Throws attn::Error naming the first setting that no model can have.
void check(const RecurrentConfig& config);

// The number of weights, by formula; the sum over all parameters must equal it.
Index parameter_count(const RecurrentConfig& config);

// An estimate of the most bytes that training takes, as in model/config.h.
double training_memory(const RecurrentConfig& config, Index tokens, Index sentence_length,
                       Index further_copies);

// The most tokens per sentence that a model can read or write: any number.
inline Index longest_sentence(const RecurrentConfig&) {
  return kAnyLength;
}

// By name, as in model/config.h; "architecture" is among the settings.
const std::vector<Setting<RecurrentConfig>>& settings_of(const RecurrentConfig&);

}  // namespace attn
