// Recurrent encoder–decoders: what translated before the Transformer (Sutskever et al. 2014; Cho et
// al. 2014; with attention, Bahdanau et al. 2015; Luong et al. 2015).
//
//     source ids ─ E ─ e ─ Encoder ─ z, s_0 ─┐
//     target ids ─ E ─ g ──────────────── Decoder ─ h ─ Eᵀ ─ logits ─ softmax
//
// There are no positions: a recurrent network reads in order.
#pragma once

#include <memory>
#include <vector>

#include "lab/predecessors/recurrent_decoder.h"
#include "lab/predecessors/recurrent_encoder.h"
#include "layers/embedding.h"
#include "layers/output_projection.h"
#include "model/sequence_model.h"

namespace attn {

struct RecurrentModel final : SequenceModel {
  Embedding source_embedding;  // with tied embeddings the one matrix E
  Embedding target_embedding;  // untied only
  OutputProjection projection;
  RecurrentEncoder encoder;
  RecurrentDecoder decoder;

  struct Cache {
    DropoutMask source_dropout, target_dropout, output_dropout;
    RecurrentEncoder::Cache encoder;
    Tensor z, K;  // [T_source, d_z]; the keys that attention projects from it
    RecurrentDecoder::Cache decoder;
  };

  // Weights are 0: initialise or load them. Throws if the configuration is impossible.
  explicit RecurrentModel(const RecurrentConfig& config);

  const RecurrentConfig& config() const { return config_; }
  void visit_parameters(const ParameterVisitor& visitor) override;
  LossSums loss(const Batch& batch, const Pass& pass = {}) const override;
  LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) override;
  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override;

  // Returns h [T_target, n].
  Tensor forward(const Batch& batch, const Pass& pass, Cache& cache) const;
  // From dh to the gradients of all parameters except the projection's.
  void backward(Tensor dh, const Batch& batch, const Pass& pass, const Cache& cache);

  const Embedding& target_embedding_used() const {
    return config_.tie_embeddings ? source_embedding : target_embedding;
  }
  Embedding& target_embedding_used() {
    return config_.tie_embeddings ? source_embedding : target_embedding;
  }
  bool attends() const { return config_.attention != RecurrentAttention::none; }

 private:
  RecurrentConfig config_;
};

}  // namespace attn
