// SequenceModel: all that training, decoding and files know about a model. The one abstract class.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "layers/cross_entropy.h"
#include "layers/parameter.h"
#include "layers/pass.h"
#include "model/batch.h"
#include "model/model_facts.h"

namespace attn {

// What a model keeps between two steps of decoding, for R rows (sentences, or hypotheses of them).
// It refers to its model, which must outlive it and stay where it is.
struct DecodingState {
  virtual ~DecodingState() = default;

  // tokens [R]: the last token of each row (<bos> at first), which it reads. Returns the logits of
  // the next one [R, V].
  virtual Tensor next_logits(const std::vector<int>& tokens) = 0;
  // Row r becomes what row rows[r] was: rows can be dropped, repeated, exchanged.
  virtual void reorder(const std::vector<Index>& rows) = 0;
};

struct SequenceModel {
  ModelFacts facts;

  explicit SequenceModel(ModelFacts known) : facts(std::move(known)) {}
  virtual ~SequenceModel() = default;

  // Every parameter once, always in the same order.
  virtual void visit_parameters(const ParameterVisitor& visitor) = 0;

  // The loss of predicting each target token from the source and the target tokens before it.
  virtual LossSums loss(const Batch& batch, const Pass& pass = {}) const = 0;
  // The same, with the masks of the pass; adds the gradient of scale · (the sum of the losses) to
  // the parameters', for which zero_gradients made room.
  virtual LossSums loss_and_gradients(const Batch& batch, const Pass& pass, Real scale) = 0;

  // Reads the source sentences and gets ready to decode, one row for each.
  virtual std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const = 0;
};

// How many tokens of a batch the loss is a sum over.
Index predicted_tokens(const SequenceModel& model, const Batch& batch);

// Every parameter, read-only.
using ParameterReader = std::function<void(const std::string& name, const Parameter& parameter)>;
void read_parameters(const SequenceModel& model, const ParameterReader& reader);
// A copy of every parameter's weights.
std::map<std::string, Tensor> weights_by_name(const SequenceModel& model);

// Fresh weights, from the seed and the parameters' names.
void initialise_parameters(SequenceModel& model, std::uint64_t seed);
// Sets all gradients to 0; the first time, makes room for them.
void zero_gradients(SequenceModel& model);

}  // namespace attn
