#include <cstdio>

#include "model/transformer.h"

int main() {
  // The library's own warnings are not those of its users: with them this would be an error.
  const int rounded_down = 2.5;

  attn::TransformerConfig config = attn::preset("tiny");
  config.source_vocabulary = config.target_vocabulary = 29;
  attn::Transformer model(config);
  attn::initialise_parameters(model, 1);
  attn::Batch batch;
  batch.append({3, 4, 2}, {1, 4, 3, 2});
  std::printf("loss of a fresh model: %.3f\n", model.loss(batch).mean_loss());
  return attn::count_parameters(model) == attn::parameter_count(config) && rounded_down == 2 ? 0
                                                                                             : 1;
}
