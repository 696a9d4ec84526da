// What the program does not ask of the predecessors: the logits of every target position
// [T_target, V], without dropout. In the models' namespace, where support/decoding_check.h finds
// it.
#pragma once

#include "lab/predecessors/convs2s.h"
#include "lab/predecessors/recurrent_model.h"

namespace attn {

inline Tensor logits_of(const RecurrentModel& model, const Batch& batch) {
  RecurrentModel::Cache unused;
  return model.projection.logits(model.forward(batch, Pass(), unused), model.source_embedding);
}

inline Tensor logits_of(const ConvS2S& model, const Batch& batch) {
  ConvS2S::Cache unused;
  return model.projection.logits(model.forward(batch, Pass(), unused),
                                 model.target_embedding_used());
}

}  // namespace attn
