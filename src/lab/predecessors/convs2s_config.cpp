// The number of weights, and an estimate of memory.
#include "lab/predecessors/convs2s_config.h"

#include <algorithm>

namespace attn {

Index parameter_count(const ConvS2SConfig& c) {
  const double d = to_double(c.d_model);
  const double vocabularies =
      to_double(c.source_vocabulary) + (c.tie_embeddings ? 0 : 2 * to_double(c.target_vocabulary));
  const double tables = vocabularies + 2 * to_double(c.max_positions);
  const double convolutions =
      to_double(c.encoder_kernel + c.decoder_kernel) * d * 2 * d + 2 * 2 * d;
  const double query = d * d + d;
  return weight_count(tables * d + to_double(c.layers) * (convolutions + query));
}

void check(const ConvS2SConfig& c) {
  check_settings(c);
  ATTN_CHECK(c.encoder_kernel % 2 == 1, "encoder_kernel must be odd, around a position, not ",
             c.encoder_kernel);
  check_tied(c.tie_embeddings, c.source_vocabulary, c.target_vocabulary);
  parameter_count(c);
}

ModelFacts facts_of(const ConvS2SConfig& c) {
  ModelFacts facts = basic_facts(c);
  facts.longest_sentence = c.max_positions;
  // A layer keeps its input and, before the gate, twice that; the decoder's also h, d and P. In
  // passing, the widest convolution has its windows side by side, and the gradient of that; e, v,
  // z, g, their gradients and those of a layer are there once.
  const double x = to_double(c.d_model), layers = to_double(c.layers) * (3 * x + 5 * x);
  const double windows = 2 * to_double(std::max(c.encoder_kernel, c.decoder_kernel)) * x;
  const double gradients = 16 * x;
  facts.kept_per_token = layers + windows + gradients;
  facts.kept_per_pair = to_double(c.layers);
  return facts;
}

}  // namespace attn
