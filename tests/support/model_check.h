// What every kind of model has to do, whatever it computes; and the weights of two compared.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/parallel.h"
#include "model/model_plan.h"
#include "support/decoding_check.h"
#include "support/small_models.h"

namespace attn::test {

// Random pairs with sources of these lengths; both sides together have `both` ids.
inline Batch random_pairs(const std::vector<Index>& lengths, Index both) {
  Batch batch;
  for (const Index n : lengths) {
    batch.append(random_ids(static_cast<std::uint64_t>(n), n), random_ids(99, both - n));
  }
  return batch;
}

// Large enough that products are shared among threads.
inline TransformerConfig larger_config() {
  TransformerConfig config = small_config();
  config.d_model = 64;
  config.d_ff = 256;
  config.heads = 4;
  config.d_k = 16;
  config.d_v = 24;
  config.max_positions = 80;
  return config;
}

// A pair's logits do not depend, by a bit, on what else is in its batch.
template <class Model>
void check_alone(const Model& model, const Batch& batch) {
  const Tensor together = logits_of(model, batch);
  Index row = 0;
  for (std::size_t b = 0; b + 1 < batch.source.offsets.size(); ++b) {
    CAPTURE(b);
    Batch alone;
    alone.source.append(sentence(batch.source, b));
    alone.target_input.append(sentence(batch.target_input, b));
    alone.target_output = target_output(batch, b);
    const Tensor expected = logits_of(model, alone);
    REQUIRE(row + expected.rows() <= together.rows());
    CHECK(same_rows(together, row, row + expected.rows(), expected, 0));
    row += expected.rows();
  }
  CHECK(row == together.rows());
}

// Logits, gradients and loss are the same bits on any number of threads.
template <class Model>
void check_threads(Model model, const Batch& batch) {
  const DropoutMasks masks(3, 4);
  const Real scale = Real(0.01);
  const Tensor logits = logits_of(model, batch);
  const Tensor gradients = gradients_of(model, batch, masks, scale);
  const double loss = model.loss_and_gradients(batch, masks, scale).loss;
  for (const int count : {1, 2, 5}) {
    CAPTURE(count);
    const WithThreads threads(count);
    CHECK(same(logits_of(model, batch), logits));
    CHECK(same(gradients_of(model, batch, masks, scale), gradients));
    CHECK(model.loss_and_gradients(batch, masks, scale).loss == loss);
  }
}

// An empty source sentence leaves nothing to look at: zeros, not NaN. An empty batch is no problem.
template <class Model>
void check_empty_source(Model model) {
  Batch batch = small_batch();
  batch.append({}, {1, 3, 2});
  CHECK(is_finite(logits_of(model, batch)));
  CHECK(is_finite(gradients_of(model, batch, {}, 1)));
  CHECK(model.loss(Batch()).tokens == 0);
}

// In the last sentence of the small batch, whose outputs are rows 4 to 8, no target token changes
// an earlier output; each changes its own and the last.
template <class Output>
void check_causal(const Output& output) {
  const Tensor before = output(small_batch());
  for (Index t = 4; t < 9; ++t) {
    Batch changed = small_batch();
    changed.target_input.ids[t] = 7;
    const Tensor after = output(changed);
    CHECK(same_rows(after, 0, t, before, 0));
    CHECK_FALSE(same_rows(after, t, t + 1, before, t));
    CHECK_FALSE(same_rows(after, 8, 9, before, 8));
  }
}

// Each of its source tokens changes all of its outputs, and none of other sentences.
template <class Output>
void check_sources(const Output& output) {
  const Tensor before = output(small_batch());
  for (std::size_t s = 5; s < 8; ++s) {
    Batch changed = small_batch();
    changed.source.ids[s] = 7;
    const Tensor after = output(changed);
    CHECK(same_rows(after, 0, 4, before, 0));
    for (Index t = 4; t < 9; ++t) CHECK_FALSE(same_rows(after, t, t + 1, before, t));
  }
}

// The model drops in training and not in the loss, and each pass has masks of its own.
template <class Model>
void check_dropout(Model model) {
  const Batch batch = small_batch();
  const double whole = model.loss(batch).loss;
  CHECK(model.loss_and_gradients(batch, {}, 1).loss == whole);
  const double dropped = model.loss_and_gradients(batch, DropoutMasks(1, 1), 1).loss;
  CHECK(dropped != whole);
  CHECK(dropped == model.loss_and_gradients(batch, DropoutMasks(1, 1), 1).loss);
  CHECK(dropped != model.loss_and_gradients(batch, DropoutMasks(1, 2), 1).loss);
  CHECK(dropped != model.loss_and_gradients(batch, DropoutMasks(2, 1), 1).loss);
}

// The model's weights are these, by name and to the last bit.
inline void check_weights(const SequenceModel& model,
                          const std::map<std::string, Tensor>& expected) {
  std::size_t visited = 0;
  read_parameters(model, [&](const std::string& name, const Parameter& p) {
    CAPTURE(name);
    CHECK(same(p.value, expected.at(name)));
    ++visited;
  });
  CHECK(visited == expected.size());
}
inline void check_same_weights(const SequenceModel& a, const SequenceModel& b) {
  check_weights(a, weights_by_name(b));
}

// The settings of a model make it again: with the same weights, it has the same loss.
inline void check_made_again(const SequenceModel& model, PlanModel* plan) {
  const auto made = make_model(model.facts.settings, "test", plan);
  CHECK(made->facts.settings == model.facts.settings);
  CHECK(made->facts.source_vocabulary == model.facts.source_vocabulary);
  CHECK(made->facts.target_vocabulary == model.facts.target_vocabulary);
  CHECK(made->facts.d_model == model.facts.d_model);
  CHECK(made->facts.longest_sentence == model.facts.longest_sentence);
  const auto weights = weights_by_name(model);
  made->visit_parameters(
      [&](const std::string& name, Parameter& p) { p.value = weights.at(name); });
  CHECK(made->loss(small_batch()).loss == model.loss(small_batch()).loss);
}

}  // namespace attn::test
