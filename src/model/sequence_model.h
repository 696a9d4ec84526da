// SequenceModel: all that training, decoding and files know about a model. The one abstract class.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/settings.h"
#include "layers/cross_entropy.h"
#include "layers/parameter.h"
#include "layers/pass.h"
#include "model/batch.h"

namespace attn {

// What a model keeps between two steps of decoding, for R rows (sentences, or hypotheses of them).
struct DecodingState {
  virtual ~DecodingState() = default;
};

struct SequenceModel {
  virtual ~SequenceModel() = default;

  // The configuration as text, which make_model (model/model_plan.h) reads: "architecture",
  // and the settings of that architecture.
  virtual Settings settings() const = 0;
  virtual Index source_vocabulary() const = 0;
  virtual Index target_vocabulary() const = 0;
  // The width of embeddings and sub-layers, on which the learning rate depends.
  virtual Index d_model() const = 0;
  // The most tokens per sentence that the model can read or write.
  virtual Index longest_sentence() const { return kAnyLength; }

  // Every parameter once, always in the same order.
  virtual void visit_parameters(const ParameterVisitor& visitor) = 0;

  // Whether a pair must have a source. A model that does without reads source and target as one
  // sequence.
  virtual bool needs_source() const { return true; }
  // How many tokens of a batch the loss is a sum over: those of the targets, unless said otherwise.
  virtual Index predicted_tokens(const Batch& batch) const {
    return static_cast<Index>(batch.target_output.size());
  }
  // The loss of predicting each target token from the source and the target tokens before it.
  virtual LossSums loss(const Batch& batch, const Pass& pass = {}) const = 0;
  // The same, with the masks of the pass; adds the gradient of scale · (the sum of the losses) to
  // the parameters', for which zero_gradients made room.
  virtual LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) = 0;

  // Reads the source sentences and gets ready to decode, one row for each.
  virtual std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const = 0;
  // tokens [R]: the last token of each row (<bos> at first). Returns the logits of the next one
  // [R, V], and advances the state by one step.
  virtual Tensor next_logits(DecodingState& state, const std::vector<int>& tokens) const = 0;
  // Row r of the new state is row rows[r] of the old one: rows can be dropped, repeated, exchanged.
  virtual void reorder(DecodingState& state, const std::vector<Index>& rows) const = 0;
};

// Every parameter, read-only.
using ParameterReader = std::function<void(const std::string& name, const Parameter& parameter)>;
void read_parameters(const SequenceModel& model, const ParameterReader& reader);

// Fresh weights, from the seed and the parameters' names.
void initialise_parameters(SequenceModel& model, std::uint64_t seed);
// Sets all gradients to 0; the first time, makes room for them.
void zero_gradients(SequenceModel& model);
// The number of weights.
Index count_parameters(const SequenceModel& model);

}  // namespace attn
