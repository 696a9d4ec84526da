#include "lab/trace/describe_parameter.h"

#include "base/check.h"
#include "base/format.h"
#include "lab/trace/home.h"

namespace attn {

namespace {

// What there is to say of a parameter, by the end of its name. It is used for the value whose name
// has `value` there instead. `gradient` is the right side of its gradient's formula; the layer that
// holds it is in `file`.
struct ParameterKind {
  const char *ending, *symbol, *value, *gradient, *section, *file;
};

const ParameterKind kParameterKinds[] = {
    {"source_embedding.weight", "E", "source.embedding", "√d_model Σ de", "§3.4", "embedding"},
    {"target_embedding.weight", "E", "target.embedding", "√d_model Σ dg", "§3.4", "embedding"},
    {"embedding.weight", "E", "source.embedding", "through logits + g + e", "§3.4", "embedding"},
    {"projection.weight", "W", "logits", "hᵀ dlogits", "§3.4", "output_projection"},
    {"source_positions.weight", "PE", "source.position", "de by position", "§3.5",
     "positional_encoding"},
    {"target_positions.weight", "PE", "target.position", "dg by position", "§3.5",
     "positional_encoding"},
    {"query.weight", "W^Q", "heads.0.Q", "uᵀ dQ", "§3.2.2", "linear"},
    {"cross_attention.key.weight", "W^K", "cross_attention.heads.0.Q", "zᵀ dK", "§3.2.2", "linear"},
    {"cross_attention.value.weight", "W^V", "cross_attention.heads.0.Q", "zᵀ dV", "§3.2.2",
     "linear"},
    {"key.weight", "W^K", "heads.0.Q", "uᵀ dK", "§3.2.2", "linear"},
    {"value.weight", "W^V", "heads.0.Q", "uᵀ dV", "§3.2.2", "linear"},
    {"output.weight", "W^O", "output", "Concatᵀ dMultiHead", "§3.2.2", "linear"},
    {"query.bias", "b^Q", "heads.0.Q", "Σ_t dQ_t", "§3.2.2", "linear"},
    {"key.bias", "b^K", "heads.0.Q", "Σ_t dK_t", "§3.2.2", "linear"},
    {"value.bias", "b^V", "heads.0.Q", "Σ_t dV_t", "§3.2.2", "linear"},
    {"output.bias", "b^O", "output", "Σ_t dMultiHead_t", "§3.2.2", "linear"},
    {"inner.weight", "W₁", "inner", "uᵀ da", "§3.3, eq. (2)", "linear"},
    {"inner.bias", "b₁", "inner", "Σ_t da_t", "§3.3, eq. (2)", "linear"},
    {"outer.weight", "W₂", "output", "max(0, a)ᵀ dFFN", "§3.3, eq. (2)", "linear"},
    {"outer.bias", "b₂", "output", "Σ_t dFFN_t", "§3.3, eq. (2)", "linear"},
    {"gamma", "γ", "mean", "Σ_t dy_t ⊙ x̂_t", "§3.1", "layer_norm"},
    {"beta", "β", "mean", "Σ_t dy_t", "§3.1", "layer_norm"},
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
  return value;
}

}  // namespace

std::string value_made_with(const std::string& parameter_name) {
  const ParameterKind& kind = kind_of(parameter_name);
  return parameter_name.substr(0, parameter_name.rfind(kind.ending)) + kind.value;
}

TraceValue described_weight(const std::string& name, const Parameter& parameter,
                            const TraceTokens& tokens, const TraceValue& used_for) {
  const ParameterKind& kind = kind_of(name);
  TraceValue value = described_parameter(name, tokens);
  value.stage = used_for.stage;
  value.layer = used_for.layer;
  value.formula = kind.symbol;
  value.function = home_of(kind.file).owner;
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
  value.layer = layer_of(name);
  value.formula = text("d", kind.symbol, " = ", kind.gradient);
  value.function = home_of(kind.file).owner + home_of(kind.file).backward;
  value.file = text("src/layers/", kind.file, ".cpp");
  value.data = parameter.gradient;
  return value;
}

}  // namespace attn
