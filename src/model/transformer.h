// The Transformer (§3, Figure 1): embeddings and positions, encoder, decoder, output projection,
// loss.
//
//     source ids ─ E·√d_model + PE ─ e ─ Encoder ─ z ─┐
//     target ids ─ E·√d_model + PE ─ g ──────────── Decoder ─ h ─ Eᵀ ─ logits ─ softmax
//
// The encoder and the decoder are N identical layers each. Pre-norm needs one more layer norm after
// the last, because its layers leave their sums as they are.
#pragma once

#include <memory>
#include <vector>

#include "layers/embedding.h"
#include "layers/output_projection.h"
#include "layers/positional_encoding.h"
#include "model/decoder_layer.h"
#include "model/encoder_layer.h"
#include "model/sequence_model.h"

namespace attn {

struct Transformer final : SequenceModel {
  Embedding source_embedding;  // with tied embeddings the one matrix E of §3.4
  Embedding target_embedding;  // untied only
  OutputProjection projection;
  PositionalEncoding source_positions, target_positions;
  std::vector<EncoderLayer> encoder;
  std::vector<DecoderLayer> decoder;
  LayerNorm encoder_norm, decoder_norm;  // pre-norm only

  // Everything backward needs.
  struct Cache {
    AttentionPattern source, target, cross;      // which tokens attend to which
    DropoutMask source_dropout, target_dropout;  // on embedding + position
    std::vector<EncoderLayer::Cache> encoder;
    std::vector<DecoderLayer::Cache> decoder;
    LayerNorm::Cache encoder_norm, decoder_norm;
    Tensor z;  // [T_source, d_model]
  };

  // Weights are 0, and γ of the norms 1: initialise or load them. Throws if the configuration is
  // impossible.
  explicit Transformer(const TransformerConfig& config);

  const TransformerConfig& config() const { return config_; }
  void visit_parameters(const ParameterVisitor& visitor) override;
  LossSums loss(const Batch& batch, const Pass& pass = {}) const override;
  LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) override;
  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override;

  // Returns h [T_target, d_model].
  Tensor forward(const Batch& batch, const Pass& pass, Cache& cache) const;
  // From dh [T_target, d_model] to the gradients of all parameters, but for what the projection
  // adds to its own.
  void backward(Tensor dh, const Batch& batch, const Pass& pass, const Cache& cache);
  // The logits of every target position [T_target, V], without dropout.
  Tensor logits(const Batch& batch) const;

  const Embedding& target_embedding_used() const {
    return config_.tie_embeddings ? source_embedding : target_embedding;
  }
  Embedding& target_embedding_used() {
    return config_.tie_embeddings ? source_embedding : target_embedding;
  }

 private:
  // Returns z [T_source, d_model].
  Tensor encode(const PackedIds& source, const Pass& pass, Cache& cache) const;

  TransformerConfig config_;
};

}  // namespace attn
