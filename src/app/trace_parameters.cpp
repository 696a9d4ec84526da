#include "app/trace_parameters.h"

#include <string>

#include "app/trace_makers.h"

namespace attn::app {

namespace {

// How a parameter's gradient is made, by the end of its name.
struct ParameterFormula {
  const char *ending, *formula, *section;
  Maker maker;
};

const ParameterFormula kParameterFormulas[] = {
    {"source_embedding.weight", "dE = √d_model Σ de", "§3.4", kEmbeddingBackward},
    {"target_embedding.weight", "dE = √d_model Σ dg", "§3.4", kEmbeddingBackward},
    {"projection.weight", "dW = hᵀ dlogits", "§3.4", kProjectionBackward},
    {"embedding.weight", "dE = through logits + g + e", "§3.4", kEmbeddingBackward},
    {"positions.weight", "dPE = de, dg by position", "§3.5", kPositionalEncodingBackward},
    {"self_attention.key.weight", "dW^K = uᵀ dK", "§3.2.2", kLinearBackwardAdd},
    {"self_attention.value.weight", "dW^V = uᵀ dV", "§3.2.2", kLinearBackwardAdd},
    {"cross_attention.key.weight", "dW^K = zᵀ dK", "§3.2.2", kLinearBackwardAdd},
    {"cross_attention.value.weight", "dW^V = zᵀ dV", "§3.2.2", kLinearBackwardAdd},
    {"query.weight", "dW^Q = uᵀ dQ", "§3.2.2", kLinearBackward},
    {"attention.output.weight", "dW^O = Concatᵀ dMultiHead", "§3.2.2", kLinearBackward},
    {"query.bias", "db^Q = Σ_t dQ_t", "§3.2.2", kLinearBackward},
    {"key.bias", "db^K = Σ_t dK_t", "§3.2.2", kLinearBackwardAdd},
    {"value.bias", "db^V = Σ_t dV_t", "§3.2.2", kLinearBackwardAdd},
    {"attention.output.bias", "db^O = Σ_t dMultiHead_t", "§3.2.2", kLinearBackward},
    {"inner.weight", "dW₁ = uᵀ da", "§3.3", kLinearBackward},
    {"inner.bias", "db₁ = Σ_t da_t", "§3.3", kLinearBackward},
    {"outer.weight", "dW₂ = max(0, a)ᵀ dFFN", "§3.3", kLinearBackward},
    {"outer.bias", "db₂ = Σ_t dFFN_t", "§3.3", kLinearBackward},
    {"gamma", "dγ = Σ_t dy_t ⊙ x̂_t", "§3.1", kLayerNormBackward},
    {"beta", "dβ = Σ_t dy_t", "§3.1", kLayerNormBackward},
};

const ParameterFormula& formula_of(const std::string& name) {
  for (const ParameterFormula& entry : kParameterFormulas) {
    const std::string ending = entry.ending;
    if (name.size() >= ending.size() &&
        name.compare(name.size() - ending.size(), ending.size(), ending) == 0) {
      return entry;
    }
  }
  throw Error("no formula for the gradient of " + name);
}

}  // namespace

void add_parameter_gradients(TraceRecorder& out, Transformer& model, const TraceTokens& tokens) {
  out.stage = "Parameters";
  model.visit_parameters([&](const std::string& name, Parameter& parameter) {
    const ParameterFormula& how = formula_of(name);
    const bool by_token = name.find("embedding") != name.npos;
    out.add(gradient_name(name), "", how.formula, how.section, how.maker, parameter.gradient,
            by_token ? tokens.vocabulary : Labels(),
            name == "projection.weight" ? tokens.vocabulary : Labels());
  });
}

}  // namespace attn::app
