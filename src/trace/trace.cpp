// pass.see("S", S) → a value named "encoder.0.self_attention.heads.0.S"
#include "trace/trace.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/check.h"
#include "text/lines.h"
#include "trace/explanation.h"

namespace attn {

TraceTokens trace_tokens(const Batch& batch, const Tokenizer& tokenizer) {
  TraceTokens tokens;
  for (const int id : batch.source.ids) tokens.source.push_back(tokenizer.token(id));
  for (const int id : batch.target_input.ids) tokens.target_input.push_back(tokenizer.token(id));
  for (const int id : batch.target_output) tokens.target_output.push_back(tokenizer.token(id));
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

namespace {

constexpr const char* kParameters = "Parameters";  // their stage, and that of their gradients

TraceValue new_value(const std::string& name, Tensor data, const Settings& settings) {
  TraceValue value;
  value.name = name;
  value.data = std::move(data);
  value.row = row_of(name, settings);
  value.symbol = last_of(name);
  value.backward = value.symbol.size() > 1 && value.symbol[0] == 'd';
  if (value.row == nullptr) return value;
  const std::string formula = value.row->formula, left = formula.substr(0, formula.find(" = "));
  if (left != "%0") value.symbol = left;
  return value;
}

// Whether a recurrent layer shows the last token first: in backward, or if it reads backwards.
bool descends(const TraceValue& value) {
  const bool reads_backwards = value.name.find(".backwards.") != value.name.npos;
  return layer_of(value.name) >= 0 && value.backward != reads_backwards;
}

// Adds rows to a matrix, or numbers to a vector.
void append(const Tensor& more, Tensor& x) {
  const bool vector = x.shape().rank == 1;
  ATTN_CHECK(vector || more.cols() == x.cols(), "rows of ", more.cols(),
             " numbers do not fit those of ", x.cols());
  const Index count = x.elements() + more.elements();
  Tensor both = Tensor::uninitialised(vector ? Shape{count} : Shape{count / x.cols(), x.cols()});
  std::copy_n(x.data(), x.elements(), both.data());
  std::copy_n(more.data(), more.elements(), both.data() + x.elements());
  x = std::move(both);
}

}  // namespace

void keep(const std::string& name, Tensor data, Trace& trace) {
  for (TraceValue& value : trace.values) {
    if (value.name != name) continue;
    if (descends(value)) std::swap(value.data, data);
    return append(data, value.data);
  }
  const Index count = data.elements();
  const bool vector = fits("x|y_shifted|losses|loss|mean|inv_std", name);
  if (vector) data = std::move(data).reshaped({count});
  trace.values.push_back(new_value(name, std::move(data), trace.settings));
}

namespace {

// Adds what the table computes after a value that was shown: under a row's own name, or with its
// last part in the part of that value.
void add_computed(const std::string& shown, const Batch& batch, Trace& trace) {
  for (const Row& row : table()) {
    if (!fits(row.after, shown)) continue;
    const std::string own = row.name;
    const bool one = own.find('*') == own.npos;
    TraceValue value =
        new_value(one ? own : part_of(shown) + '.' + last_of(own), {}, trace.settings);
    if (value.row != &row) continue;
    if (value.name == "y") {
      const std::vector<int>& y = batch.target_output;
      value.data = Tensor::uninitialised({static_cast<Index>(y.size())});
      std::copy(y.begin(), y.end(), value.data.data());
    } else {
      const TraceValue* like = trace.find(value.symbol == "dE" ? "embedding.weight" : shown);
      value.data = Explanation(trace, value).numbers(like->data.shape());
    }
    trace.values.push_back(std::move(value));
  }
}

// "Encoder, layer 0, self attention norm"; empty: the heading of the value before.
std::string heading_of(const std::string& name) {
  if (fits("z|h", name)) return "";
  if (name == "dz") return "The gradient of z, from all that read it";
  const std::string part = part_of(name);
  if (part == "source" || fits("x|e|de", name)) return "Source: tokens and vectors";
  if (part == "target" || fits("y_shifted|g|dg", name)) {
    return "Target, shifted right: tokens and vectors";
  }
  if (part.empty() || part == "output") return "Output: logits, distribution and loss";
  std::string heading;
  for (std::string one : split(part.substr(0, part.find(".heads")), '.')) {
    std::replace(one.begin(), one.end(), '_', ' ');
    heading += heading.empty() ? one : (number_in<Index>(one) ? ", layer " : ", ") + one;
  }
  heading[0] = static_cast<char>(std::toupper(heading[0]));
  return heading;
}

// Which tokens the rows and columns stand for. one_sequence: the model reads source and target as
// one, and shows some values of its last tokens only.
void put_labels(const TraceTokens& tokens, bool one_sequence, TraceValue& value) {
  const std::string& name = value.name;
  const auto labels = [&](const Labels& all, Index n) {
    const Index count = all.size();
    const bool fit = one_sequence ? n <= count : n == count;
    return fit ? Labels(all.end() - n, all.end()) : Labels();
  };
  const Index rows = value.row_count(), columns = value.data.cols();
  const Labels& words = tokens.vocabulary;
  if (fits("embedding.*weight|*_embedding.*weight|dE", name)) {
    // Of an untied source, the words are others.
    if (rows <= static_cast<Index>(words.size())) value.rows = words;
    return;
  }
  if (fits("logits|p|q|dlogits|projection.*weight", name)) value.columns = labels(words, columns);
  if (value.stage == kParameters || name == "loss") return;

  const Labels& source = one_sequence ? tokens.sequence : tokens.source;
  const Labels& target = one_sequence ? tokens.sequence : tokens.target_input;
  const Labels& predicted = one_sequence ? tokens.following : tokens.target_output;
  const bool of_keys = is_cross(name) && fits("K|V|dK|dV|K_0|dK_0|dz_K|dz_V", name);
  const bool of_source = of_keys || fits("k|v|dk|dv", name) || stack_of(name) == "encoder";
  const bool of_predicted = fits("y|losses|q", name) && !fits("attention.q", name);
  value.rows = labels(of_predicted ? predicted : of_source ? source : target, rows);
  if (!fits("S|A|P|dP|dS", name)) return;
  value.columns = labels(of_source || is_cross(name) ? source : target, columns);
}

}  // namespace

Trace trace_of(SequenceModel& model, const Batch& batch, const TraceTokens& tokens, bool backward,
               const DropoutMasks& masks) {
  ATTN_CHECK_EQ(batch.source.sentences(), 1, "sentence pairs of a trace");
  Trace shown{model.facts.settings, {}}, trace = shown;
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    keep(name, parameter.value, trace);
    trace.values.back().stage = kParameters;
    trace.values.back().weight = true;
  });
  const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
    keep(name, copy_of(value), shown);
  };
  if (backward) {
    zero_gradients(model);
    const double predicted = static_cast<double>(predicted_tokens(model, batch));
    model.loss_and_gradients(batch, Pass(masks, &observer), static_cast<Real>(1 / predicted));
  } else {
    model.loss(batch, Pass(observer));
  }
  // The forward pass comes first; in the middle of it, the loss already shows some gradients.
  for (const bool gradients : {false, true}) {
    for (TraceValue& value : shown.values) {
      if (value.backward != gradients) continue;
      const std::string name = value.name;
      trace.values.push_back(std::move(value));
      add_computed(name, batch, trace);
    }
  }
  if (backward) {
    model.visit_parameters([&](const std::string& name, Parameter& parameter) {
      keep(gradient_name(name), parameter.gradient, trace);
      trace.values.back().stage = kParameters;
    });
  }
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
