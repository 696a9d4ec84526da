#include "lab/trace/describe.h"

#include <algorithm>
#include <map>
#include <utility>

#include "lab/trace/home.h"
#include "text/lines.h"

namespace attn {

namespace {

bool is_one_of(const std::string& name, std::initializer_list<const char*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool in_cross_attention(const std::string& name) {
  return name.find(".cross_attention.") != name.npos;
}

// Other words that people know values by. Gradients inside a head share those of their values.
std::string word_for(const std::string& last) {
  static const std::map<std::string, std::string> words{
      {"x", "ids"},     {"y_shifted", "ids"}, {"y", "ids"},     {"position", "PE"},
      {"Q", "queries"}, {"K", "keys"},        {"V", "values"},  {"S", "scores"},
      {"A", "masked"},  {"P", "weights"},     {"O", "outputs"}, {"concat", "Concat"},
      {"mean", "μ"},    {"inv_std", "1/σ"},   {"x_hat", "x̂"},   {"p", "distribution"},
      {"q", "targets"},
  };
  const bool gradient = is_one_of(last, {"dQ", "dK", "dV", "dS", "dA", "dP", "dO"});
  const auto found = words.find(gradient ? last.substr(1) : last);
  return found == words.end() ? "" : found->second;
}

// The paper defines some values elsewhere than the file's others.
std::string section_of(const std::string& name, const Home& home) {
  static const std::map<std::string, const char*> elsewhere{
      {"x", "§3.4"},       {"e", "§3.4, §3.5"},   {"y_shifted", "§3.1"}, {"g", "§3.4, §3.5"},
      {"dlogits", "§5.4"}, {"source.dE", "§3.4"}, {"target.dE", "§3.4"}, {"z", "§3.1"},
      {"h", "§3.1"},       {"p", "§3.4"},         {"y", "§3.1"},         {"dz", "§3.2.3"},
      {"dg", "§3.1"},      {"de", "§3.1"},
  };
  const auto found = elsewhere.find(name);
  return found == elsewhere.end() ? home.section : found->second;
}

// The heading of a value; empty: that of the value before.
std::string stage_of(const std::string& name, const std::vector<std::string>& parts,
                     bool backward) {
  if (is_one_of(parts[0], {"encoder", "decoder"})) {
    const std::string stack = parts[0] == "encoder" ? "Encoder" : "Decoder";
    if (parts[1] == "norm") return stack + ", final norm";
    if (parts.size() <= 3) return "";
    static const std::map<std::string, std::string> titles{
        {"self_attention", "self-attention"},
        {"cross_attention", "encoder–decoder attention"},
        {"feed_forward", "feed-forward network"}};
    const std::string sublayer = parts[2].substr(0, parts[2].find("_norm"));
    return stack + ", layer " + parts[1] + ", " + titles.at(sublayer) +
           (sublayer == parts[2] ? "" : ", Add & Norm");
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
Labels rows_of(const std::string& name, const std::vector<std::string>& parts,
               const TraceTokens& tokens) {
  const std::string& last = parts.back();
  if (name == "loss") return {};
  if (last == "dE") return tokens.vocabulary;
  if (is_one_of(name, {"y", "q", "losses"})) return tokens.target_output;
  const bool source =
      is_one_of(parts[0], {"encoder", "source"}) || is_one_of(name, {"x", "e", "z", "dz", "de"});
  const bool key =
      in_cross_attention(name) && is_one_of(last, {"K", "V", "dK", "dV", "dz_K", "dz_V"});
  return source || key ? tokens.source : tokens.target_input;
}

Labels columns_of(const std::string& name, const std::vector<std::string>& parts,
                  const TraceTokens& tokens) {
  if (is_one_of(name, {"logits", "p", "q", "dlogits"})) return tokens.vocabulary;
  if (!is_one_of(parts.back(), {"S", "A", "P", "dS", "dA", "dP"})) return {};
  return parts[0] == "encoder" || in_cross_attention(name) ? tokens.source : tokens.target_input;
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
    symbols_["dy"] = "du";  // pre-norm: of the norm before the sub-layer
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
  const std::size_t stem = path.rfind('/') + 1;
  const Home& home = home_of(path.substr(stem, path.rfind('.') - stem));
  value.section = section_of(value.name, home);
  value.function = home.owner + (backward ? home.backward : home.forward);

  value.data = copy_of(seen.numbers);
  if (seen.shape.rank == 1) value.data = std::move(value.data).reshaped(seen.shape);
  value.rows = rows_of(value.name, parts, tokens_);
  value.columns = columns_of(value.name, parts, tokens_);
  value.head = head_of(value.name);
  value.layer = layer_of(value.name);
  value.stage = stage_of(value.name, parts, backward);
  if (value.stage.empty()) {
    value.stage = stage_;
    if (value.layer < 0) value.layer = layer_;
  }
  symbols_["memory"] = in_cross_attention(value.name) ? "z" : symbols_["u"];
  value.formula = with_symbols(value.formula);
  remember(value, parts);
  stage_ = value.stage;
  layer_ = value.layer;
  return value;
}

}  // namespace attn
