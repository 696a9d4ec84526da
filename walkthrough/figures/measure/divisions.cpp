#include "divisions.h"

#include <cmath>
#include <vector>

#include "base/check.h"
#include "base/printing.h"
#include "lab/experiments/one_head.h"
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

double dot(const Tensor& a, const Tensor& b) {
  double sum = 0;
  for (Index i = 0; i < a.elements(); ++i) {
    sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  }
  return sum;
}

// Adam, on one number.
void update(Temperature& t, double slope, Index step, double rate) {
  t.m = Adam::kBeta1 * t.m + (1 - Adam::kBeta1) * slope;
  t.v = Adam::kBeta2 * t.v + (1 - Adam::kBeta2) * slope * slope;
  const double m = t.m / (1 - std::pow(Adam::kBeta1, step)),
               v = t.v / (1 - std::pow(Adam::kBeta2, step));
  t.log -= rate * m / (std::sqrt(v) + Adam::kEpsilon);
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

void update(SequenceModel& model, Adam& adam, Temperatures& temperatures, const Variant& variant,
            Index step, double rate) {
  std::vector<Tensor> before;
  std::vector<double> slopes;  // dL/d ln τ
  const std::vector<Parameter*> queries = queries_of(model);
  temperatures.resize(queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    before.push_back(queries[i]->value);
    slopes.push_back(dot(queries[i]->value, queries[i]->gradient));
    // From the gradient of τ W^Q to that of W^Q.
    multiply(queries[i]->gradient, std::exp(temperatures[i].log));
  }
  adam.update(model, step, rate);
  if (!variant.fast()) return;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    Temperature& t = temperatures[i];
    const double tau = std::exp(t.log);
    if (variant.learned()) update(t, slopes[i], step, rate);
    const Real far = static_cast<Real>(std::sqrt(variant.d_k) * tau);
    Tensor& now = queries[i]->value;
    for (Index j = 0; j < now.elements(); ++j) {
      now[j] = before[i][j] + far * (now[j] - before[i][j]);
    }
    multiply(now, std::exp(t.log) / tau);
  }
}

}  // namespace attn
