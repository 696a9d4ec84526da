// The smallest model in which one attention does all the work, so that ways of comparing a query
// with a key can be compared themselves (§3.2.1): for target position t, one head looks at the
// source and writes the word there.
//
//     q_t = PE(t) W_Q      k_j = [PE(j); PE(n − 1 − j)] W_K      v_j = E[x_j] W_V
//     logits_t = Σ_j softmax_j(score(q_t, k_j)) v_j W_O
//
// A key says where its word is, from the start and from the end, which is what copy and reverse
// need to know. Nothing but the scores depends on d_k. W_Q and W_K start such that q and k have
// components of mean 0 and variance about 1, as the paper's footnote 4 supposes, for any d_k.
#pragma once

#include <memory>
#include <vector>

#include "lab/predecessors/alignment.h"
#include "layers/embedding.h"
#include "model/sequence_model.h"

namespace attn {

enum class Compatibility { scaled_dot, dot, additive };
// "scaled-dot", "dot", "additive"
const char* name_of(Compatibility compatibility);

struct OneHead : SequenceModel {
  Compatibility compatibility;
  Index width, d_k;
  Embedding embedding;  // E [V, width]
  Linear query;         // W_Q [width, d_k]
  Linear key;           // W_K [2·width, d_k]
  Linear value;         // W_V [width, width]
  Linear output;        // W_O [width, V]
  Alignment attention;  // score = scale · q · k, or v · tanh(q + k)

  OneHead(Compatibility how, Index vocabulary, Index width_, Index d_k_);

  Settings settings() const override;
  Index source_vocabulary() const override { return embedding.weight.value.rows(); }
  Index target_vocabulary() const override { return embedding.weight.value.rows(); }
  Index d_model() const override { return width; }
  void visit_parameters(const ParameterVisitor& visitor) override;
  LossSums loss(const Batch& batch, const Pass& pass = {}) const override;
  LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) override;
  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override;
  Tensor next_logits(DecodingState& state, const std::vector<int>& tokens) const override;
  void reorder(DecodingState& state, const std::vector<Index>& rows) const override;

 private:
  // What backward needs.
  struct Cache {
    Tensor at_query, at_key, e;  // [T_target, width], [T_source, 2·width], [T_source, width]
    Tensor Q, K, V;              // [T_target, d_k], [T_source, d_k], [T_source, width]
    Tensor P, O;                 // every look's weights; [T_target, width]
  };
  Tensor forward(const Batch& batch, const Pass& pass, Cache& cache) const;
};

}  // namespace attn
