#include "trace/describe.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "text/lines.h"

namespace attn {

namespace {

bool ends_with(const std::string& name, const std::string& ending) {
  return name.size() >= ending.size() &&
         name.compare(name.size() - ending.size(), ending.size(), ending) == 0;
}

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_number(const std::string& part) {
  return !part.empty() && part.find_first_not_of("0123456789") == part.npos;
}

// The number after a part of that name, as 3 in "encoder.3.attended"; −1: there is none.
Index number_after(const std::vector<std::string>& parts,
                   std::initializer_list<const char*> before) {
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (is_one_of(parts[i], before) && is_number(parts[i + 1])) return std::stoi(parts[i + 1]);
  }
  return -1;
}

// Other words for values, which people know them by.
std::string word_for(const std::string& last) {
  static const std::map<std::string, std::string> words{
      {"x", "ids"},     {"y_shifted", "ids"}, {"y", "ids"},      {"position", "PE"},
      {"Q", "queries"}, {"K", "keys"},        {"V", "values"},   {"S", "scores"},
      {"A", "masked"},  {"P", "weights"},     {"O", "outputs"},  {"concat", "Concat"},
      {"mean", "μ"},    {"inv_std", "1/σ"},   {"x_hat", "x̂"},    {"p", "distribution"},
      {"q", "targets"}, {"dQ", "queries"},    {"dK", "keys"},    {"dV", "values"},
      {"dS", "scores"}, {"dA", "masked"},     {"dP", "weights"}, {"dO", "outputs"},
  };
  const auto found = words.find(last);
  return found == words.end() ? "" : found->second;
}

// Where a file's values are defined, and the functions that compute them.
struct Home {
  const char *section, *forward, *backward;
};

const std::map<std::string, Home>& homes() {
  static const std::map<std::string, Home> all{
      {"attention.cpp", {"§3.2.1, eq. (1)", "attention_forward", "attention_backward"}},
      {"multi_head_attention.cpp",
       {"§3.2.2", "MultiHeadAttention::forward", "MultiHeadAttention::backward"}},
      {"layer_norm.cpp", {"§3.1", "LayerNorm::forward", "LayerNorm::backward"}},
      {"residual.cpp", {"§3.1", "Residual::after", "Residual::after_backward"}},
      {"feed_forward.cpp", {"§3.3, eq. (2)", "FeedForward::forward", "FeedForward::backward"}},
      {"embedding.cpp", {"§3.4", "Embedding::forward", "Embedding::backward"}},
      {"positional_encoding.cpp",
       {"§3.5", "PositionalEncoding::forward", "PositionalEncoding::backward"}},
      {"output_projection.cpp",
       {"§3.4", "OutputProjection::loss", "OutputProjection::loss_and_gradients"}},
      {"cross_entropy.cpp", {"§5.4", "cross_entropy_forward", "cross_entropy_backward"}},
      {"encoder_layer.cpp", {"§3.1", "EncoderLayer::forward", "EncoderLayer::backward"}},
      {"decoder_layer.cpp", {"§3.1", "DecoderLayer::forward", "DecoderLayer::backward"}},
      {"encoder.cpp", {"§3.1", "Encoder::forward", "Encoder::backward"}},
      {"decoder.cpp", {"§3.1", "Decoder::forward", "Decoder::backward"}},
      {"transformer.cpp", {"§3", "Transformer::forward", "Transformer::backward"}},
  };
  return all;
}

// Values that the paper defines elsewhere than the file's others.
const std::map<std::string, const char*>& other_sections() {
  static const std::map<std::string, const char*> all{
      {"x", "§3.4"},       {"e", "§3.4, §3.5"},   {"y_shifted", "§3.1"}, {"g", "§3.4, §3.5"},
      {"dlogits", "§5.4"}, {"source.dE", "§3.4"}, {"target.dE", "§3.4"}, {"z", "§3.1"},
      {"h", "§3.1"},       {"p", "§3.4"},         {"y", "§3.1"},         {"dz", "§3.2.3"},
      {"dg", "§3.1"},      {"de", "§3.1"},
  };
  return all;
}

std::string stage_of_sublayer(const std::vector<std::string>& parts) {
  std::string sublayer = parts[2];
  const bool norm = ends_with(sublayer, "_norm");
  if (norm) sublayer.erase(sublayer.size() - std::string("_norm").size());
  static const std::map<std::string, std::string> titles{
      {"self_attention", "self-attention"},
      {"cross_attention", "encoder–decoder attention"},
      {"feed_forward", "feed-forward network"}};
  const auto title = titles.find(sublayer);
  return std::string(parts[0] == "encoder" ? "Encoder" : "Decoder") + ", layer " + parts[1] + ", " +
         (title == titles.end() ? sublayer : title->second) + (norm ? ", Add & Norm" : "");
}

// The heading of a value; empty: that of the value before.
std::string stage_of(const std::string& name, const std::vector<std::string>& parts,
                     bool backward) {
  if (is_one_of(parts[0], {"encoder", "decoder"})) {
    if (parts[1] == "norm") {
      return std::string(parts[0] == "encoder" ? "Encoder" : "Decoder") + ", final norm";
    }
    return parts.size() > 3 ? stage_of_sublayer(parts) : "";
  }
  if (backward) {
    if (is_one_of(name, {"dlogits", "output.dE", "dh"})) return "Output: the loss and the logits";
    if (name == "target.dE") return "Target: back to the embeddings";
    if (name == "dz") return "Encoder output: what all decoder layers want of it";
    if (name == "source.dE") return "Source: back to the embeddings";
    return "";
  }
  if (parts[0] == "source" || is_one_of(name, {"x", "e"})) return "Source: from tokens to vectors";
  if (parts[0] == "target" || is_one_of(name, {"y_shifted", "g"})) {
    return "Target: from tokens, shifted right, to vectors";
  }
  if (is_one_of(name, {"z", "h"})) return "";
  return "Output: a distribution over the vocabulary, and the loss";
}

// The tokens that the rows of a value are.
const Labels& rows_of(const std::string& name, const std::vector<std::string>& parts,
                      const TraceTokens& tokens) {
  static const Labels none;
  const std::string& last = parts.back();
  if (name == "loss") return none;
  if (last == "dE") return tokens.vocabulary;
  if (is_one_of(name, {"y", "q", "losses"})) return tokens.target_output;
  const bool source =
      is_one_of(parts[0], {"encoder", "source"}) || is_one_of(name, {"x", "e", "z", "dz", "de"});
  const bool key = name.find(".cross_attention.") != name.npos &&
                   is_one_of(last, {"K", "V", "dK", "dV", "dz_K", "dz_V"});
  return source || key ? tokens.source : tokens.target_input;
}

const Labels& columns_of(const std::string& name, const std::vector<std::string>& parts,
                         const TraceTokens& tokens) {
  static const Labels none;
  if (is_one_of(name, {"logits", "p", "q", "dlogits"})) return tokens.vocabulary;
  if (!is_one_of(parts.back(), {"S", "A", "P", "dS", "dA", "dP"})) return none;
  const bool source = parts[0] == "encoder" || name.find(".cross_attention.") != name.npos;
  return source ? tokens.source : tokens.target_input;
}

// The symbol that a formula without one begins with.
std::string symbol_for(const std::string& last) {
  return last == "output" ? "y" : last == "doutput" ? "dy" : last == "dsum" ? "ds" : last;
}

}  // namespace

std::string gradient_name(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  return dot == name.npos ? "d" + name : name.substr(0, dot + 1) + "d" + name.substr(dot + 1);
}

// Layers name what they read by their own symbols: "Q = u W^Q_i". Here these become the symbols of
// the values that were read: "Q = e W^Q_i".
std::string Describer::with_symbols(const std::string& formula) const {
  const std::size_t equals = formula.find(" = ");
  const std::size_t right = equals == formula.npos ? 0 : equals;
  std::string result = formula.substr(0, right), word;
  for (const char c : formula.substr(right) + ' ') {
    if (std::string(" ()[]").find(c) == std::string::npos) {
      word += c;
      continue;
    }
    const auto symbol = symbols_.find(word);
    result += (symbol == symbols_.end() ? word : symbol->second) + c;
    word.clear();
  }
  result.pop_back();
  return result;
}

// What the next value may be computed from.
void Describer::remember(const TraceValue& value, const std::vector<std::string>& parts) {
  const std::string& last = parts.back();
  const std::string symbol = value.formula.substr(0, value.formula.find(' '));
  if (parts.size() == 1) {
    for (const char* name : {"u", "x", "ids", "dy", "ds", "dFFN", "dMultiHead"})
      symbols_[name] = last;
  } else if (parts.size() == 3 && parts[1] != "norm") {
    for (const char* name : {"u", "x", "dy", "ds", "dFFN", "dMultiHead"}) symbols_[name] = symbol;
  } else if (last == "normed") {
    symbols_["u"] = symbol;
  } else if (last == "sum") {
    symbols_["x"] = symbol;
  } else if (last == "output") {
    symbols_["f"] = symbol;
  } else if (last == "dsum") {
    for (const char* name : {"ds", "dFFN", "dMultiHead"}) symbols_[name] = symbol;
  } else if (is_one_of(last, {"dx", "du_Q"})) {
    symbols_["dy"] = "du";  // pre-norm: of the norm in front of the sub-layer
  }
}

TraceValue Describer::describe(const SeenValue& seen) {
  TraceValue value;
  value.name = seen.full_name();
  const bool backward = seen.where.is_backward();
  const std::vector<std::string> parts = split(value.name, '.');
  value.word = word_for(parts.back());
  value.formula = seen.formula;
  if (value.formula[0] == '=') value.formula = symbol_for(parts.back()) + ' ' + value.formula;

  const std::string path = seen.file;
  value.file = path.substr(path.rfind("src/"));
  const auto home = homes().find(path.substr(path.rfind('/') + 1));
  ATTN_CHECK(home != homes().end(), "a trace knows no section for the values of ", value.file);
  const auto section = other_sections().find(value.name);
  value.section = section == other_sections().end() ? home->second.section : section->second;
  value.function = backward ? home->second.backward : home->second.forward;

  value.data = copy_of(seen.numbers);
  if (seen.shape.rank == 1) value.data = std::move(value.data).reshaped(seen.shape);
  value.rows = rows_of(value.name, parts, tokens_);
  value.columns = columns_of(value.name, parts, tokens_);
  value.head = number_after(parts, {"heads"});
  value.layer = number_after(parts, {"encoder", "decoder"});
  value.stage = stage_of(value.name, parts, backward);
  if (value.stage.empty()) {
    value.stage = stage_;
    if (value.layer < 0) value.layer = layer_;
  }
  const bool cross = value.name.find(".cross_attention.") != value.name.npos;
  symbols_["memory"] = cross ? "z" : symbols_["u"];
  value.formula = with_symbols(value.formula);
  remember(value, parts);
  stage_ = value.stage;
  layer_ = value.layer;
  return value;
}

namespace {

// What there is to say of a parameter, by the end of its name. It is used for the value whose name
// has `value` there instead. `layer` holds it, and is defined in `file`.
struct ParameterKind {
  const char *ending, *symbol, *value, *gradient, *section, *layer, *file;
};

const ParameterKind kParameterKinds[] = {
    {"source_embedding.weight", "E", "source.embedding", "dE = √d_model Σ de", "§3.4", "Embedding",
     "embedding"},
    {"target_embedding.weight", "E", "target.embedding", "dE = √d_model Σ dg", "§3.4", "Embedding",
     "embedding"},
    {"embedding.weight", "E", "source.embedding", "dE = through logits + g + e", "§3.4",
     "Embedding", "embedding"},
    {"projection.weight", "W", "logits", "dW = hᵀ dlogits", "§3.4", "OutputProjection",
     "output_projection"},
    {"source_positions.weight", "PE", "source.position", "dPE = de by position", "§3.5",
     "PositionalEncoding", "positional_encoding"},
    {"target_positions.weight", "PE", "target.position", "dPE = dg by position", "§3.5",
     "PositionalEncoding", "positional_encoding"},
    {"query.weight", "W^Q", "heads.0.Q", "dW^Q = uᵀ dQ", "§3.2.2", "Linear", "linear"},
    {"cross_attention.key.weight", "W^K", "cross_attention.heads.0.Q", "dW^K = zᵀ dK", "§3.2.2",
     "Linear", "linear"},
    {"cross_attention.value.weight", "W^V", "cross_attention.heads.0.Q", "dW^V = zᵀ dV", "§3.2.2",
     "Linear", "linear"},
    {"key.weight", "W^K", "heads.0.Q", "dW^K = uᵀ dK", "§3.2.2", "Linear", "linear"},
    {"value.weight", "W^V", "heads.0.Q", "dW^V = uᵀ dV", "§3.2.2", "Linear", "linear"},
    {"output.weight", "W^O", "output", "dW^O = Concatᵀ dMultiHead", "§3.2.2", "Linear", "linear"},
    {"query.bias", "b^Q", "heads.0.Q", "db^Q = Σ_t dQ_t", "§3.2.2", "Linear", "linear"},
    {"key.bias", "b^K", "heads.0.Q", "db^K = Σ_t dK_t", "§3.2.2", "Linear", "linear"},
    {"value.bias", "b^V", "heads.0.Q", "db^V = Σ_t dV_t", "§3.2.2", "Linear", "linear"},
    {"output.bias", "b^O", "output", "db^O = Σ_t dMultiHead_t", "§3.2.2", "Linear", "linear"},
    {"inner.weight", "W₁", "inner", "dW₁ = uᵀ da", "§3.3, eq. (2)", "Linear", "linear"},
    {"inner.bias", "b₁", "inner", "db₁ = Σ_t da_t", "§3.3, eq. (2)", "Linear", "linear"},
    {"outer.weight", "W₂", "output", "dW₂ = max(0, a)ᵀ dFFN", "§3.3, eq. (2)", "Linear", "linear"},
    {"outer.bias", "b₂", "output", "db₂ = Σ_t dFFN_t", "§3.3, eq. (2)", "Linear", "linear"},
    {"gamma", "γ", "mean", "dγ = Σ_t dy_t ⊙ x̂_t", "§3.1", "LayerNorm", "layer_norm"},
    {"beta", "β", "mean", "dβ = Σ_t dy_t", "§3.1", "LayerNorm", "layer_norm"},
};

const ParameterKind& kind_of(const std::string& name) {
  for (const ParameterKind& kind : kParameterKinds) {
    if (ends_with(name, kind.ending)) return kind;
  }
  fail("a trace does not know the parameter '", name, "'");
}

TraceValue described_parameter(const std::string& name, const TraceTokens& tokens) {
  TraceValue value;
  value.name = name;
  value.section = kind_of(name).section;
  if (name.find("embedding") != name.npos) value.rows = tokens.vocabulary;
  if (name.find("projection") != name.npos) value.columns = tokens.vocabulary;
  value.layer = number_after(split(name, '.'), {"encoder", "decoder"});
  return value;
}

}  // namespace

std::string value_made_with(const std::string& parameter_name) {
  const ParameterKind& kind = kind_of(parameter_name);
  const std::size_t kept = parameter_name.size() - std::string(kind.ending).size();
  return parameter_name.substr(0, kept) + kind.value;
}

TraceValue described_weight(const std::string& name, const Parameter& parameter,
                            const TraceTokens& tokens, const TraceValue& used_for) {
  const ParameterKind& kind = kind_of(name);
  TraceValue value = described_parameter(name, tokens);
  value.stage = used_for.stage;
  value.layer = used_for.layer;
  value.formula = kind.symbol;
  value.function = kind.layer;
  value.file = text("src/layers/", kind.file, ".h");
  value.data = parameter.value;
  value.weight = true;
  return value;
}

TraceValue described_gradient(const std::string& name, const Parameter& parameter,
                              const TraceTokens& tokens) {
  const ParameterKind& kind = kind_of(name);
  TraceValue value = described_parameter(name, tokens);
  value.stage = "Parameters";
  value.name = gradient_name(name);
  value.formula = kind.gradient;
  const bool projection = kind.file == std::string("output_projection");
  value.function = text(kind.layer, projection ? "::loss_and_gradients" : "::backward");
  value.file = text("src/layers/", kind.file, ".cpp");
  value.data = parameter.gradient;
  return value;
}

}  // namespace attn
