// SequenceModel: all that training and decoding know of a model. The one abstract class here; the
// Transformer is what stands behind it.
#pragma once

#include <memory>
#include <vector>

#include "layers/cross_entropy.h"
#include "layers/parameter.h"
#include "layers/pass.h"
#include "model/batch.h"
#include "model/config.h"

namespace attn {

// What a model keeps between two steps of decoding, for R rows (sentences, or hypotheses of them).
struct DecodingState {
  virtual ~DecodingState() = default;
};

struct SequenceModel {
  virtual ~SequenceModel() = default;
  virtual const Config& config() const = 0;

  // Every parameter once, always in the same order.
  virtual void visit_parameters(const ParameterVisitor& visitor) = 0;

  // The loss of predicting each target token from the source and the target tokens before it.
  virtual LossSums loss(const Batch& batch, const Pass& pass = {}) const = 0;
  // The same, with the masks of the pass; adds the gradient of scale · (the sum of the losses) to
  // the parameters', for which zero_gradients made room.
  virtual LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) = 0;

  // Reads the source sentences and gets ready to decode, one row for each.
  virtual std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const = 0;
  // tokens [R]: the last token of each row (<bos> at first). Returns the logits of the next one
  // [R, V], which softmax makes probabilities of, and moves the state on by a step.
  virtual Tensor next_logits(DecodingState& state, const std::vector<int>& tokens) const = 0;
  // Row r of the new state is row rows[r] of the old one: rows can be dropped, repeated, exchanged.
  virtual void reorder(DecodingState& state, const std::vector<Index>& rows) const = 0;
};

// Fresh weights, from the seed and the parameters' names.
void initialise_parameters(SequenceModel& model, std::uint64_t seed);
// Sets all gradients to 0; the first time, makes room for them.
void zero_gradients(SequenceModel& model);
// The number of weights.
Index count_parameters(SequenceModel& model);

}  // namespace attn
