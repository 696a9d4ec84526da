// What is known of a model from its configuration alone, and how configurations are checked.
#pragma once

#include "base/memory.h"
#include "base/settings.h"
#include "layers/output_projection.h"

namespace attn {

struct ModelFacts {
  // The configuration as text, which make_model (model/model_plan.h) reads: "architecture", and the
  // settings of that architecture.
  Settings settings;
  Index source_vocabulary = 0, target_vocabulary = 0;
  // The width of embeddings and sub-layers, on which the learning rate depends.
  Index d_model = 0;
  // The number of weights, by formula; the sum over all parameters must equal it.
  Index weights = 0;
  // The most tokens per sentence that the model can read or write.
  Index longest_sentence = kAnyLength;
  // Whether source and target are read as one sequence, so that there may be no source.
  bool one_sequence = false;
  // Whether the loss is a sum over the source's tokens too, not over the target's alone.
  bool predicts_source = false;
  // An estimate of how many numbers training keeps of a batch, and the gradients of one layer: so
  // many per token (of source and target each), and more for each token of its sentence.
  double kept_per_token = 0, kept_per_pair = 0;
};

// An estimate of the bytes that training needs: the program itself; weights with gradients, Adam's
// moments and further copies of the weights (the running mean, the best so far); what is kept of a
// batch of `tokens` source and `tokens` target tokens in sentences of sentence_length; and the
// logits of some of the tokens. While there is memory to spare, it takes up to twice that: blocks
// freed by batches of other sizes wait to be used again (tensor.cpp).
inline double training_memory(const ModelFacts& model, Index tokens, Index sentence_length,
                              Index further_copies) {
  constexpr double kProgram = 16e6;
  const double weights = to_double(4 + further_copies) * to_double(model.weights);
  const double kept =
      to_double(tokens) * (model.kept_per_token + model.kept_per_pair * to_double(sentence_length));
  const Index predicted = model.predicts_source ? 2 * tokens : tokens, V = model.target_vocabulary;
  const double logits = to_double(tokens_at_once(predicted, V)) * to_double(V);
  return kProgram + sizeof(Real) * (weights + kept + logits);
}

// The facts that every configuration gives alike.
template <class Config>
ModelFacts basic_facts(const Config& c) {
  return {to_settings(c), c.source_vocabulary, c.target_vocabulary, c.d_model, parameter_count(c)};
}

inline void check_tied(bool tied, Index source_vocabulary, Index target_vocabulary) {
  ATTN_CHECK(!tied || source_vocabulary == target_vocabulary,
             "tied embeddings need one vocabulary for both languages, not ", source_vocabulary,
             " and ", target_vocabulary, " tokens");
}

// A number of weights, computed in floating point, which does not overflow whatever the sizes.
inline Index weight_count(double count) {
  ATTN_CHECK(count < to_double(kLargestCount), "a model of these sizes would have ",
             shortest(count), " weights, more than any memory holds");
  return static_cast<Index>(count);
}

// The facts of a configuration, once it is known to be possible and its weights to fit in memory.
template <class Config>
ModelFacts checked_facts(const Config& config) {
  check(config);
  ModelFacts facts = facts_of(config);
  check_memory(to_double(facts.weights) * sizeof(Real),
               text("a model of ", grouped(facts.weights), " weights"),
               "choose a smaller model: fewer layers, or a smaller width or vocabulary");
  return facts;
}

}  // namespace attn
