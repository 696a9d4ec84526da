// What PyTorch computed (tests/golden/make_pytorch_golden.py) against what a model computes.
//
// A tensor a passes against PyTorch's b if ‖a − b‖ ≤ tolerance · (‖b‖ + 1e-3 · ‖all tensors of its
// kind together‖). The second term is for gradients that are truly 0.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/number.h"
#include "model/transformer.h"
#include "support/compare.h"
#include "support/golden.h"
#include "training/trainer.h"

namespace attn::test {

// Everything that the caches keep, under PyTorch's names for it.
using Values = std::map<std::string, const Tensor*>;

inline void add_attention(Values& values, const std::string& name,
                          const MultiHeadAttention::Cache& cache) {
  values[name + ".Q"] = &cache.Q;
  values[name + ".K"] = &cache.projected.K;
  values[name + ".V"] = &cache.projected.V;
  values[name + ".P"] = &cache.P;
  values[name + ".concat"] = &cache.concat;
}

// What came into Add & Norm.
inline const Tensor* input_of(const Residual::Cache& cache) {
  return cache.x.empty() ? &cache.u : &cache.x;
}

// A stack of layers with one attention each.
inline void add_stack(Values& values, const std::string& stack,
                      const std::vector<EncoderLayer::Cache>& layers) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const std::string name = stack + "." + std::to_string(i);
    const EncoderLayer::Cache& layer = layers[i];
    values[name + ".input"] = input_of(layer.self_residual);
    add_attention(values, name + ".self_attention", layer.self_attention);
    values[name + ".attended"] = input_of(layer.ffn_residual);
    values[name + ".feed_forward.hidden"] = &layer.feed_forward.hidden;
  }
}

// db_K is truly 0: adding one number to a query's scores for all keys changes no softmax. (Turned
// keys get different numbers.)
inline bool is_key_bias(const std::string& name) {
  return name.find(".key.bias") != std::string::npos;
}

// Step k of a tensor [steps, …] of weights.
inline Tensor part(const Tensor& steps, Index k, const Shape& shape) {
  Tensor result = Tensor::uninitialised(shape);
  REQUIRE(result.elements() * steps.shape().size[0] == steps.elements());
  std::copy_n(steps.data() + k * result.elements(), result.elements(), result.data());
  return result;
}

// The values that the caches keep, and the logits.
inline void check_values(const GoldenModel& golden, const Values& values, const Tensor& logits) {
  std::size_t expected = 0;
  for (const auto& [name, tensor] : golden.file.tensors) {
    if (name.rfind("values.", 0) == 0) ++expected;
  }
  CHECK(values.size() == expected);
  for (const auto& named : values) {
    const std::string& name = named.first;
    CAPTURE(name);
    CHECK(relative_error(*named.second, golden.tensor("values." + name)) <=
          (kDouble ? 1e-13 : 1e-5));
  }
  CHECK(relative_error(logits, golden.tensor("logits")) <= (kDouble ? 1e-13 : 1e-5));
}

inline void check_gradients(const GoldenModel& golden, SequenceModel& model) {
  const auto tokens = static_cast<double>(golden.batch.target_output.size());
  const LossSums sums = model.loss_and_gradients(golden.batch, {}, static_cast<Real>(1 / tokens));
  const char* const name_of_loss = golden.file.tensors.count("losses") == 1 ? "losses" : "loss";
  const double loss = static_cast<double>(golden.tensor(name_of_loss)[0]);
  CHECK(sums.mean_loss() == doctest::Approx(loss).epsilon(kDouble ? 1e-13 : 1e-5));

  const auto positions = golden.settings.find("positions");
  const bool rotary = positions != golden.settings.end() && positions->second == "rotary";
  const double whole = golden.norm("gradients.");
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    CAPTURE(name);
    if (is_key_bias(name) && !rotary) {
      CHECK(std::sqrt(sum_of_squares(p.gradient)) <= (kDouble ? 1e-15 : 1e-6) * whole);
    } else {
      CHECK(relative_error(p.gradient, golden.tensor("gradients." + name), 1e-3 * whole) <=
            (kDouble ? 1e-11 : 1e-5));
    }
  });
}

// Those of Adam with the paper's schedule.
inline void check_steps(const GoldenModel& golden, SequenceModel& model) {
  Trainer trainer;
  trainer.settings.warmup = parse_number<Index>(golden.setting("warmup"), "steps");
  trainer.settings.learning_rate_scale =
      parse_number<double>(golden.setting("learning_rate_scale"), "a number");
  const std::vector<std::vector<int>> kept = sentences(golden.setting("kept_steps"));
  const Tensor& losses = golden.tensor("losses");
  const double whole = golden.norm("weights.");
  Index compared = 0;
  for (Index step = 1; step <= losses.elements(); ++step) {
    CAPTURE(step);
    const StepReport report = trainer.take_step(model, [&](std::uint64_t) { return golden.batch; });
    CHECK(report.sums.mean_loss() ==
          doctest::Approx(static_cast<double>(losses[step - 1])).epsilon(kDouble ? 1e-9 : 1e-5));
    if (std::count(kept[0].begin(), kept[0].end(), static_cast<int>(step)) == 0) continue;
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      // Adam divides a gradient by its size: one of rounding errors only moves its weights as
      // far as any other. In double they are so small that ε hides most of them.
      if (is_key_bias(name) && !kDouble) return;
      const double tolerance = is_key_bias(name) ? 1e-7 : kDouble ? 1e-9 : 1e-5;
      CAPTURE(name);
      const Tensor weights = part(golden.tensor("trained." + name), compared, p.value.shape());
      CHECK(relative_error(p.value, weights, 1e-3 * whole) <= tolerance);
    });
    ++compared;
  }
  CHECK(compared == golden.tensor("trained.decoder.0.feed_forward.inner.bias").rows());
  CHECK(compared == static_cast<Index>(kept[0].size()));
}

}  // namespace attn::test
