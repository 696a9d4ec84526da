// The shape of a recurrent encoder–decoder.
#pragma once

#include "lab/predecessors/cells.h"
#include "model/config.h"
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

Index parameter_count(const RecurrentConfig& config);

ModelFacts facts_of(const RecurrentConfig& config);

// By name, as in model/config.h.
template <class Visit>
void visit_settings(RecurrentConfig& c, const Visit& visit) {
  using A = RecurrentAttention;
  visit("architecture", c.cell,
        OneOf<Cell>{{"rnn", Cell::rnn}, {"gru", Cell::gru}, {"lstm", Cell::lstm}});
  visit("attention", c.attention,
        OneOf<A>{{"none", A::none},
                 {"bahdanau", A::bahdanau},
                 {"luong-dot", A::luong_dot},
                 {"luong-general", A::luong_general},
                 {"luong-concat", A::luong_concat}});
  visit("source_vocabulary", c.source_vocabulary, kVocabularySize);
  visit("target_vocabulary", c.target_vocabulary, kVocabularySize);
  visit("layers", c.layers, kSize);
  visit("d_model", c.d_model, kSize);
  visit("dropout", c.dropout, kProbability);
  visit("label_smoothing", c.label_smoothing, kProbability);
  visit("tie_embeddings", c.tie_embeddings, yes_or_no());
}

}  // namespace attn
