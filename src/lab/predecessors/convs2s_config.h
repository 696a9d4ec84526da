// The shape of a ConvS2S model and its regularisation.
#pragma once

#include "base/real.h"
#include "model/config.h"

namespace attn {

struct ConvS2SConfig {
  Index source_vocabulary = 0, target_vocabulary = 0;
  Index layers = 6;          // in the encoder and again in the decoder
  Index d_model = 512;       // of embeddings and all layers
  Index encoder_kernel = 3;  // k, odd: a window around each position
  Index decoder_kernel = 3;  // k: a position and those before it
  double dropout = 0.1;      // on embedding + position, each convolution's input, the output
  double label_smoothing = 0.1;
  Index max_positions = 512;    // rows of the position tables: positions are learned
  bool tie_embeddings = false;  // one matrix for both languages and the projection, as in §3.4
};

// Throws attn::Error naming the first setting that no model can have.
void check(const ConvS2SConfig& config);

// The number of weights.
//   embeddings: (V_source + 2 V_target)·d_model (source, target, projection); tied V·d_model
//   positions: 2 max_positions·d_model
//   convolution: k·d_model·2 d_model + 2 d_model, one in each layer
//   query: d_model² + d_model, one in each decoder layer
Index parameter_count(const ConvS2SConfig& config);

ModelFacts facts_of(const ConvS2SConfig& config);

// By name, as in model/config.h.
template <class Visit>
void visit_settings(ConvS2SConfig& c, const Visit& visit) {
  constexpr Bounds kKernel{1, 1 << 10};
  visit_constant("architecture", "convs2s", visit);
  visit("source_vocabulary", c.source_vocabulary, kVocabularySize);
  visit("target_vocabulary", c.target_vocabulary, kVocabularySize);
  visit("layers", c.layers, kSize);
  visit("d_model", c.d_model, kSize);
  visit("encoder_kernel", c.encoder_kernel, kKernel);
  visit("decoder_kernel", c.decoder_kernel, kKernel);
  visit("dropout", c.dropout, kProbability);
  visit("label_smoothing", c.label_smoothing, kProbability);
  visit("max_positions", c.max_positions, kSize);
  visit("tie_embeddings", c.tie_embeddings, yes_or_no());
}

}  // namespace attn
