#include "divisions.h"

#include <cmath>
#include <vector>

#include "base/check.h"
#include "lab/experiments/one_head.h"
#include "lab/printing.h"
#include "model/transformer.h"

namespace attn {

namespace {

// The matrices W^Q of a model.
std::vector<Parameter*> queries_of(SequenceModel& model) {
  std::vector<Parameter*> found;
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    if (ends_with(name, "query.weight")) found.push_back(&p);
  });
  return found;
}

void multiply(Tensor& x, double factor) {
  for (Index i = 0; i < x.elements(); ++i) x[i] *= static_cast<Real>(factor);
}

}  // namespace

std::unique_ptr<SequenceModel> start(const Variant& variant, Index vocabulary, std::uint64_t seed) {
  std::unique_ptr<SequenceModel> model;
  if (variant.model == "one-head") {
    model =
        std::make_unique<OneHead>(Compatibility::scaled_dot, vocabulary, kModelWidth, variant.d_k);
    initialise_parameters(*model, seed);
  } else {
    TransformerConfig config = preset("tiny");
    config.source_vocabulary = config.target_vocabulary = vocabulary;
    for (const char* one : {"layers", "heads"}) set(config, one, "1");
    set(config, "d_k", std::to_string(variant.d_k));
    set(config, "d_v", std::to_string(kModelWidth));
    set(config, "dropout", "0");
    set(config, "label_smoothing", "0");
    model = std::make_unique<Transformer>(config);
    initialise_parameters(*model, seed);
    // From Glorot's variance to 1/d_model.
    model->visit_parameters([&](const std::string& name, Parameter& p) {
      if (!ends_with(name, "query.weight") && !ends_with(name, "key.weight")) return;
      const double bound = p.scale * std::sqrt(6.0 / to_double(p.value.rows() + p.value.cols()));
      multiply(p.value, std::sqrt(3.0 / kModelWidth) / bound);
    });
  }
  if (variant.hard_start()) {
    for (Parameter* query : queries_of(*model)) multiply(query->value, std::sqrt(variant.d_k));
  }
  return model;
}

void update(SequenceModel& model, Adam& adam, const Variant& variant, Index step, double rate) {
  std::vector<Tensor> before;
  const std::vector<Parameter*> queries = queries_of(model);
  for (const Parameter* query : queries) before.push_back(query->value);
  adam.update(model, step, rate);
  if (!variant.fast()) return;
  const Real root = static_cast<Real>(std::sqrt(variant.d_k));
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Tensor& now = queries[i]->value;
    for (Index j = 0; j < now.elements(); ++j) {
      now[j] = before[i][j] + root * (now[j] - before[i][j]);
    }
  }
}

}  // namespace attn
