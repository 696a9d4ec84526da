// A decoder-only model (Liu et al. 2018; GPT: Radford et al. 2018): what is left of Figure 1
// without the encoder. A sentence pair is one sequence, which <bos> divides, and each token is
// predicted from those before it. A pair without a source is plain text.
//
//     x1 … xn <eos> <bos> y1 … ym ─ E·√d_model + PE ─ e ─ Decoder ─ z ─ h ─ Eᵀ ─ logits ─ softmax
//
// h are the rows of z from which the loss predicts a token: y1 … ym <eos> alone, or all.
#pragma once

#include <memory>
#include <vector>

#include "lab/language/decoder_only_config.h"
#include "layers/embedding.h"
#include "layers/output_projection.h"
#include "layers/positional_encoding.h"
#include "model/encoder_layer.h"
#include "model/key_value_cache.h"
#include "model/sequence_model.h"

namespace attn {

struct DecoderOnly final : SequenceModel {
  Embedding embedding;
  OutputProjection projection;
  PositionalEncoding positions;
  // Their self-attention is causal, and there is nothing else to attend to.
  std::vector<EncoderLayer> decoder;
  LayerNorm decoder_norm;  // pre-norm only

  struct Cache {
    AttentionPattern pattern;
    DropoutMask mask;  // on embedding + position
    std::vector<EncoderLayer::Cache> decoder;
    LayerNorm::Cache decoder_norm;
  };

  // Weights are 0, γ of norms 1: initialise or load them. Throws for impossible configurations.
  explicit DecoderOnly(const DecoderOnlyConfig& config);

  const DecoderOnlyConfig& config() const { return config_; }
  void visit_parameters(const ParameterVisitor& visitor) override;
  LossSums loss(const Batch& batch, const Pass& pass = {}) const override;
  LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) override;
  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override;

  // ids: whole sequences. Returns z [T, d_model].
  Tensor forward(const PackedIds& ids, const Pass& pass, Cache& cache) const;
  // From dz [T, d_model] to the gradients of all parameters except the projection's.
  void backward(Tensor dz, const PackedIds& ids, const Pass& pass, const Cache& cache);
  // The logits of every token that is predicted [predicted_tokens, V], without dropout.
  Tensor logits(const Batch& batch) const;

  // More tokens of each row: what the last layer makes of them [T, d_model].
  Tensor read(const PackedIds& tokens, KeyValueCache& past) const;
  // What follows the last layer.
  Tensor normed(Tensor x, const Pass& pass, LayerNorm::Cache& cache) const;

 private:
  DecoderOnlyConfig config_;
};

}  // namespace attn
