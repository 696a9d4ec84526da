#include "trace/trace.h"

#include <algorithm>
#include <utility>

#include "trace/describe.h"

namespace attn {

namespace {

// Collects the values of a pass: those of the backward pass, or those of the forward pass.
Watcher collector(std::vector<TraceValue>& values, Describer& describer, bool backward) {
  Watcher watcher;
  watcher.value = [&values, &describer, backward](const SeenValue& seen) {
    if (seen.where.is_backward() == backward) values.push_back(describer.describe(seen));
  };
  return watcher;
}

}  // namespace

TraceTokens trace_tokens(const Batch& batch, const Vocabulary& vocabulary) {
  const auto labels = [&](const std::vector<int>& ids) {
    Labels result;
    for (const int id : ids) result.push_back(vocabulary.token(id));
    return result;
  };
  TraceTokens tokens{
      labels(batch.source.ids), labels(batch.target_input.ids), labels(batch.target_output), {}};
  for (int id = 0; id < vocabulary.size(); ++id) tokens.vocabulary.push_back(vocabulary.token(id));
  return tokens;
}

std::vector<TraceValue> trace_forward(SequenceModel& model, const Batch& batch,
                                      const TraceTokens& tokens) {
  std::vector<TraceValue> values;
  Describer describer(tokens);
  const Watcher watcher = collector(values, describer, false);
  model.loss(batch, Pass(watcher));

  // Each parameter goes before the value that it is for.
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    const std::string wanted = value_made_with(name);
    const auto at = std::find_if(values.begin(), values.end(),
                                 [&](const TraceValue& value) { return value.name == wanted; });
    ATTN_CHECK(at != values.end(), "no value '", wanted, "' for the parameter '", name, "'");
    values.insert(at, described_weight(name, parameter, tokens, *at));
  });
  return values;
}

std::vector<TraceValue> trace_backward(SequenceModel& model, const Batch& batch,
                                       const TraceTokens& tokens) {
  std::vector<TraceValue> values;
  Describer describer(tokens);
  const Watcher watcher = collector(values, describer, true);
  zero_gradients(model);
  const Real scale = static_cast<Real>(1 / static_cast<double>(batch.target_output.size()));
  model.loss_and_gradients(batch, Pass(DropoutMasks(), &watcher), scale);
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    values.push_back(described_gradient(name, parameter, tokens));
  });
  return values;
}

}  // namespace attn
