// pass.see("S", S) → a value named "encoder.0.self_attention.heads.0.S"
#include "trace/trace.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "trace/explanation.h"
#include "trace/names.h"

namespace attn {

TraceTokens trace_tokens(const Batch& batch, const Tokenizer& tokenizer) {
  const auto labels = [&](const std::vector<int>& ids) {
    Labels result;
    for (const int id : ids) result.push_back(tokenizer.token(id));
    return result;
  };
  TraceTokens tokens{
      labels(batch.source.ids), labels(batch.target_input.ids), labels(batch.target_output), {}};
  for (int id = 0; id < tokenizer.size(); ++id) tokens.vocabulary.push_back(tokenizer.token(id));
  tokens.sequence = tokens.source;
  for (const std::string& token : tokens.target_input) tokens.sequence.push_back(token);
  tokens.following.assign(tokens.sequence.begin() + 1, tokens.sequence.end());
  tokens.following.push_back(tokens.target_output.back());
  return tokens;
}

const TraceValue* Trace::find(const std::string& name) const {
  for (const TraceValue& value : values) {
    if (value.name == name) return &value;
  }
  return nullptr;
}

void append(const Tensor& more, Tensor& x) {
  ATTN_CHECK(x.shape().rank == 1 || more.cols() == x.cols(), "rows of ", more.cols(),
             " numbers do not fit those of ", x.cols());
  const Shape shape = x.shape().rank == 1 ? Shape{x.elements() + more.elements()}
                                          : Shape{x.rows() + more.rows(), x.cols()};
  Tensor both = Tensor::uninitialised(shape);
  std::copy_n(x.data(), x.elements(), both.data());
  std::copy_n(more.data(), more.elements(), both.data() + x.elements());
  x = std::move(both);
}

namespace {

constexpr const char* kParameters = "Parameters";  // their stage, and that of their gradients

// A value of this name; its row, if it has one. Only a Transformer's values are in the table.
TraceValue new_value(const std::string& name, Tensor data, const Settings& settings) {
  TraceValue value;
  value.name = name;
  value.data = std::move(data);
  value.backward = is_gradient(name);
  value.symbol = last_of(name);
  const auto architecture = settings.find("architecture");
  if (architecture == settings.end() || architecture->second != "transformer") return value;
  for (const Row& row : table()) {
    if (is_for(row, settings) && fits(row.name, name)) value.row = &row;
  }
  if (value.row == nullptr) return value;
  const std::string formula = value.row->formula, left = formula.substr(0, formula.find(" = "));
  if (left != "%0") value.symbol = left;
  return value;
}

// Keeps a value; the same name again is more rows. What has one number per token is a vector.
void keep(const std::string& name, Tensor data, Trace& trace) {
  const Index count = data.elements();
  const bool vector = fits("x|y_shifted|losses|loss|mean|inv_std", name);
  if (vector) data = std::move(data).reshaped({count});
  for (TraceValue& value : trace.values) {
    if (value.name == name) return append(data, value.data);
  }
  trace.values.push_back(new_value(name, std::move(data), trace.settings));
}

// Puts the values that the table computes after those that were shown: under a row's own name, or
// with its last part in the part of what was shown.
void add_computed(const Batch& batch, Trace& trace) {
  for (std::size_t i = 0; i < trace.values.size(); ++i) {
    if (trace.values[i].row == nullptr) continue;
    const std::string shown = trace.values[i].name;
    auto next = static_cast<std::ptrdiff_t>(i + 1);
    for (const Row& row : table()) {
      if (!fits(row.after, shown)) continue;
      const bool own = std::string(row.name).find('*') == std::string::npos;
      TraceValue value =
          new_value(own ? row.name : part_of(shown) + '.' + last_of(row.name), {}, trace.settings);
      if (value.row != &row) continue;
      if (value.name == "y") {
        const std::vector<int>& y = batch.target_output;
        value.data = Tensor::uninitialised({static_cast<Index>(y.size())});
        std::copy(y.begin(), y.end(), value.data.data());
      } else {
        const std::string like = last_of(value.name) == "dE" ? "embedding.weight" : shown;
        value.data = Explanation(trace, value).numbers(trace.find(like)->data.shape());
      }
      trace.values.insert(trace.values.begin() + next++, std::move(value));
    }
  }
}

// The last n of these; none if there are fewer.
Labels last_ones(const Labels& labels, Index n, bool all) {
  const Index count = static_cast<Index>(labels.size());
  if (count < n || (all && count != n)) return {};
  return {labels.end() - n, labels.end()};
}

// Which tokens the rows and columns stand for. one_sequence: the model reads source and target as
// one.
void put_labels(const TraceTokens& tokens, bool one_sequence, TraceValue& value) {
  const std::string& name = value.name;
  const Index rows = value.row_count(), columns = value.data.cols();
  const Labels& words = tokens.vocabulary;
  if (fits("embedding.*weight|*_embedding.*weight|dE", name)) {
    // Of an untied source, the words are others.
    if (rows <= static_cast<Index>(words.size())) value.rows = words;
    return;
  }
  if (fits("logits|p|q|dlogits|projection.*weight", name)) {
    value.columns = last_ones(words, columns, true);
  }
  if (value.stage == kParameters) return;

  const Labels& target = one_sequence ? tokens.sequence : tokens.target_input;
  const Labels& source = one_sequence ? tokens.sequence : tokens.source;
  const Labels& predicted = one_sequence ? tokens.following : tokens.target_output;
  const bool of_source = is_of_source(name), is_predicted = fits("y|losses|q", name);
  value.rows = last_ones(is_predicted ? predicted
                         : of_source  ? source
                                      : target,
                         rows, !one_sequence);
  if (!fits("S|A|P|dP|dS", name)) return;
  const bool asks_source = of_source || sublayer_of(name) == "cross_attention";
  value.columns = last_ones(asks_source ? source : target, columns, true);
}

}  // namespace

Trace record(SequenceModel& model, const Batch& batch, const DropoutMasks* masks) {
  ATTN_CHECK_EQ(batch.source.sentences(), 1, "sentence pairs of a trace");
  Trace trace{model.facts.settings, {}};
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    trace.values.push_back(new_value(name, parameter.value, trace.settings));
    trace.values.back().weight = true;
    trace.values.back().stage = kParameters;
  });
  const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
    keep(name, copy_of(value), trace);
  };
  if (masks == nullptr) {
    model.loss(batch, Pass(observer));
  } else {
    zero_gradients(model);
    const double tokens = static_cast<double>(predicted_tokens(model, batch));
    model.loss_and_gradients(batch, Pass(*masks, &observer), static_cast<Real>(1 / tokens));
  }
  add_computed(batch, trace);
  // The forward pass comes first; in the middle of it, the loss already shows some gradients.
  std::stable_partition(trace.values.begin(), trace.values.end(),
                        [](const TraceValue& value) { return !value.backward; });
  if (masks == nullptr) return trace;
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    trace.values.push_back(new_value(gradient_name(name), parameter.gradient, trace.settings));
    trace.values.back().stage = kParameters;
  });
  return trace;
}

Trace trace_of(SequenceModel& model, const Batch& batch, const TraceTokens& tokens, bool backward) {
  const DropoutMasks off;
  Trace trace = record(model, batch, backward ? &off : nullptr);
  std::string stage;
  for (TraceValue& value : trace.values) {
    value.formula = value.weight ? value.symbol : Explanation(trace, value).formula();
    if (value.stage.empty()) {
      const std::string heading = heading_of(value.name);
      value.stage = stage = heading.empty() ? stage : heading;
    }
    put_labels(tokens, model.facts.one_sequence, value);
  }
  return trace;
}

}  // namespace attn
