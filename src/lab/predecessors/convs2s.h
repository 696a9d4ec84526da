// ConvS2S (Gehring et al. 2017): the convolutional encoder–decoder, which needed no recurrence
// before the Transformer did.
//
//     source ids ─ E + p ─ e ─ N × (gated convolution, centred) ─ z ─┐ keys z, values z + e
//     target ids ─ E + p ─ g ─ N × (gated convolution, causal; attention) ─ projection ─ logits
//
// Around every layer there is a residual connection, and no norm: a sum x + f(x) of two terms that
// vary alike varies twice as much, which √½ undoes (§3.4):
//
//     encoder   y = √½ (x + h)          h = GLU(Convolution(Dropout(x)))
//     decoder   y = √½ (x + h + c)      c = attention of h; see convs2s_attention.h
//
// Departures from the paper: no weight normalisation; one width for all layers; the encoder's
// gradient is not divided by the number of attentions that it collects from (it would not be the
// gradient of the loss any more).
#pragma once

#include <memory>
#include <vector>

#include "lab/predecessors/convs2s_attention.h"
#include "lab/predecessors/convs2s_config.h"
#include "lab/predecessors/gated_convolution.h"
#include "layers/embedding.h"
#include "layers/output_projection.h"
#include "layers/positional_encoding.h"
#include "model/sequence_model.h"

namespace attn {

struct ConvS2S final : SequenceModel {
  Embedding source_embedding, target_embedding;           // target: untied only
  PositionalEncoding source_positions, target_positions;  // learned
  std::vector<GatedConvolution> encoder;
  struct DecoderLayer {
    GatedConvolution convolution;
    ConvS2SAttention attention;
  };
  std::vector<DecoderLayer> decoder;
  OutputProjection projection;  // its matrix is the embedding's if they are tied

  struct Cache {
    DropoutMask source_dropout, target_dropout, output_dropout;
    std::vector<GatedConvolution::Cache> encoder;
    std::vector<Tensor> encoder_inputs;  // [T_source, d_model], of each layer
    Tensor z, v;                         // [T_source, d_model], v = z + e
    struct DecoderLayer {
      Tensor x, h;  // [T_target, d_model], what it reads; its convolution's output
      GatedConvolution::Cache convolution;
      ConvS2SAttention::Cache attention;
    };
    std::vector<DecoderLayer> decoder;
  };

  // Weights are 0: initialise or load them. Throws if the configuration is impossible.
  explicit ConvS2S(const ConvS2SConfig& config);

  void visit_parameters(const ParameterVisitor& visitor) override;
  LossSums loss(const Batch& batch, const Pass& pass = {}) const override;
  LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) override;
  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override;

  // Returns the decoder's output [T_target, d_model].
  Tensor forward(const Batch& batch, const Pass& pass, Cache& cache) const;
  // From its gradient to those of all parameters except the projection's.
  void backward(Tensor dy, const Batch& batch, const Pass& pass, const Cache& cache);

  const Embedding& target_embedding_used() const {
    return config_.tie_embeddings ? source_embedding : target_embedding;
  }
  Embedding& target_embedding_used() {
    return config_.tie_embeddings ? source_embedding : target_embedding;
  }

  // Returns z; v becomes z + e.
  Tensor encode(const PackedIds& source, const Pass& pass, Cache& cache, Tensor& v) const;

 private:
  ConvS2SConfig config_;
};

}  // namespace attn
