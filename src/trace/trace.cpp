#include "trace/trace.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "text/lines.h"
#include "trace/recorder.h"

namespace attn {

TraceTokens trace_tokens(const Batch& batch, const Tokenizer& tokenizer) {
  const auto labels = [&](const std::vector<int>& ids) {
    Labels result;
    for (const int id : ids) result.push_back(tokenizer.token(id));
    return result;
  };
  TraceTokens tokens{
      labels(batch.source.ids), labels(batch.target_input.ids), labels(batch.target_output), {}};
  tokens.sequence = tokens.source;
  tokens.sequence.insert(tokens.sequence.end(), tokens.target_input.begin(),
                         tokens.target_input.end());
  tokens.following.assign(tokens.sequence.begin() + 1, tokens.sequence.end());
  tokens.following.push_back(tokens.target_output.back());
  for (int id = 0; id < tokenizer.size(); ++id) tokens.vocabulary.push_back(tokenizer.token(id));
  return tokens;
}

std::vector<TraceValue> trace_forward(SequenceModel& model, const Batch& batch,
                                      const TraceTokens& tokens) {
  Recorder recorder(model, batch, tokens);
  const Watcher watcher = recorder.watcher();
  model.loss(batch, Pass(watcher));
  return recorder.values(false);
}

std::vector<TraceValue> trace_both(SequenceModel& model, const Batch& batch,
                                   const TraceTokens& tokens) {
  zero_gradients(model);
  const Real scale = static_cast<Real>(1 / static_cast<double>(model.predicted_tokens(batch)));
  Recorder recorder(model, batch, tokens);
  const Watcher watcher = recorder.watcher();
  model.loss_and_gradients(batch, Pass(DropoutMasks(), &watcher), scale);
  std::vector<TraceValue> values = recorder.values(false), gradients = recorder.values(true);
  std::move(gradients.begin(), gradients.end(), std::back_inserter(values));
  return values;
}

std::vector<TraceValue> trace_backward(SequenceModel& model, const Batch& batch,
                                       const TraceTokens& tokens) {
  std::vector<TraceValue> values = trace_both(model, batch, tokens);
  values.erase(values.begin(), std::find_if(values.begin(), values.end(),
                                            [](const TraceValue& one) { return one.backward; }));
  return values;
}

namespace {

// Whether the parts of `wanted` follow each other in the name.
bool has_parts(const std::string& name, const std::string& wanted) {
  const std::vector<std::string> parts = split(name, '.'), some = split(wanted, '.');
  return std::search(parts.begin(), parts.end(), some.begin(), some.end()) != parts.end();
}

// Whether the value has this name or word. A gradient goes by the name of its value too.
bool is_named(const TraceValue& value, const std::string& wanted) {
  if (wanted.empty()) return false;
  return wanted == value.word || has_parts(value.name, wanted) ||
         has_parts(value.name, gradient_name(wanted));
}

// The last parts of all names, each once, for an error.
std::string last_parts(const std::vector<TraceValue>& values) {
  std::vector<std::string> names;
  for (const TraceValue& value : values) {
    const std::string last = split(value.name, '.').back();
    if (std::find(names.begin(), names.end(), last) == names.end()) names.push_back(last);
  }
  return comma_list(names);
}

}  // namespace

std::vector<TraceValue> selected(std::vector<TraceValue> values, const TraceSelection& selection) {
  const auto keep = [&values](const auto& wanted) {
    const auto unwanted = [&](const TraceValue& value) { return !wanted(value); };
    values.erase(std::remove_if(values.begin(), values.end(), unwanted), values.end());
  };
  keep([&](const TraceValue& value) {
    return (selection.layer < 0 || value.layer == selection.layer) &&
           (selection.head < 0 || value.head == selection.head) &&
           (!value.weight || selection.weights);
  });
  for (const std::string& name : selection.names) {
    const bool found = std::any_of(values.begin(), values.end(),
                                   [&](const TraceValue& value) { return is_named(value, name); });
    ATTN_CHECK(found, "nothing here is named '", name, "'; there are: ", last_parts(values));
  }
  if (selection.names.empty()) return values;
  keep([&](const TraceValue& value) {
    return std::any_of(selection.names.begin(), selection.names.end(),
                       [&](const std::string& name) { return is_named(value, name); });
  });
  return values;
}

}  // namespace attn
