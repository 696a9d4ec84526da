// Small models of every kind, and a batch for them: sizes that are all different, sentences of
// different lengths (1 among them), tokens that occur twice.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "model/transformer.h"
#include "support/random_tensors.h"
#include "text/tokenizer.h"

namespace attn::test {

struct SmallModel {
  std::string name;
  TransformerConfig config;
};

// The sizes of every small model; two layers, so that layers can be mixed up.
inline TransformerConfig small_config() {
  TransformerConfig config;
  config.source_vocabulary = config.target_vocabulary = 11;
  config.layers = 2;
  config.d_model = 6;
  config.d_ff = 7;
  config.heads = 3;
  config.d_k = 4;
  config.d_v = 5;
  config.dropout = 0;
  config.label_smoothing = 0.1;
  config.max_positions = 8;
  return config;
}

// torch.nn has no other d_k and d_v than these.
template <class Config>
Config torch_config(Config config) {
  config.heads = 2;
  config.d_k = config.d_v = 3;
  return config;
}

template <class Config>
Config with_dropout(Config config) {
  config.dropout = 0.2;
  config.attention_dropout = 0.3;
  config.relu_dropout = 0.4;
  return config;
}

// post/pre × tied/untied × sinusoidal/learned, and attention biases in half of them, so that any
// two options meet in all ways.
inline std::vector<SmallModel> small_models() {
  std::vector<SmallModel> models;
  for (const bool pre : {false, true}) {
    for (const bool untied : {false, true}) {
      for (const bool learned : {false, true}) {
        const bool biases = pre ^ untied ^ learned;
        TransformerConfig config = small_config();
        config.norm = pre ? NormPlacement::pre : NormPlacement::post;
        config.tie_embeddings = !untied;
        if (untied) config.target_vocabulary = 13;
        config.positions = learned ? Positions::learned : Positions::sinusoidal;
        config.attention_bias = biases;
        models.push_back({text(pre ? "pre-norm" : "post-norm", untied ? ", untied" : ", tied",
                               learned ? ", learned positions" : ", sinusoidal positions",
                               biases ? ", attention biases" : ", no attention biases"),
                          config});
      }
    }
  }
  return models;
}

// One for each kind of positions that is not in the paper; and then all.
inline std::vector<SmallModel> position_models() {
  std::vector<SmallModel> models;
  for (const char* kind : {"none", "rotary"}) {
    TransformerConfig config = small_config();
    set(config, "positions", kind);
    config.norm = models.size() % 2 == 0 ? NormPlacement::pre : NormPlacement::post;
    config.d_k = 5;  // odd
    models.push_back({text(kind, " positions"), config});
  }
  return models;
}

inline std::vector<SmallModel> all_small_models() {
  std::vector<SmallModel> models = small_models();
  for (const SmallModel& model : position_models()) models.push_back(model);
  return models;
}

template <class Model, class Config>
Model model_with_random_parameters(const Config& config, std::uint64_t seed) {
  Model model(config);
  initialise_parameters(model, seed);
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    if (p.start != Parameter::Start::zeros && p.start != Parameter::Start::ones) return;
    const Tensor noise = random_tensor(p.value.shape(), mix(seed, hash(name)), 0.3);
    add(noise, p.value);
  });
  zero_gradients(model);
  return model;
}

// The number of weights, counted.
inline Index count_parameters(const SequenceModel& model) {
  Index count = 0;
  read_parameters(model,
                  [&](const std::string&, const Parameter& p) { count += p.value.elements(); });
  return count;
}

// All gradients, one after another.
inline Tensor gradients_in(SequenceModel& model) {
  Tensor all = Tensor::zeros({count_parameters(model)});
  Index next = 0;
  model.visit_parameters([&](const std::string&, Parameter& p) {
    for (Index i = 0; i < p.gradient.elements(); ++i) all[next++] = p.gradient[i];
  });
  return all;
}

// Those of one batch.
inline Tensor gradients_of(SequenceModel& model, const Batch& batch, const Pass& pass, Real scale) {
  zero_gradients(model);
  model.loss_and_gradients(batch, pass, scale);
  return gradients_in(model);
}

// A model whose every parameter is random: biases, γ and β too. Gradients are 0.
inline Transformer random_model(const TransformerConfig& config, std::uint64_t seed = 1) {
  return model_with_random_parameters<Transformer>(config, seed);
}

// Three sentence pairs: of 4 and 3 tokens, 1 and 1, 3 and 5 (targets as the decoder reads them).
inline Batch small_batch() {
  Batch batch;
  batch.append({5, 3, 5, 2}, {1, 4, 9, 2});
  batch.append({2}, {1, 2});
  batch.append({10, 4, 2}, {1, 3, 3, 5, 10, 2});
  return batch;
}

// Whether two batches have the same sentences.
inline bool same(const Batch& a, const Batch& b) {
  return a.source.ids == b.source.ids && a.source.offsets == b.source.offsets &&
         a.target_input.ids == b.target_input.ids &&
         a.target_input.offsets == b.target_input.offsets && a.target_output == b.target_output;
}

// n random words of these models.
inline std::vector<int> random_ids(std::uint64_t seed, Index n) {
  const RandomStream random{seed, 1};
  std::vector<int> ids;
  for (Index i = 0; i < n; ++i) {
    ids.push_back(3 + static_cast<int>(random.below(static_cast<std::uint64_t>(i), 8)));
  }
  return ids;
}

// Their words, 3 to 10.
inline const Tokenizer& letters() {
  static const Tokenizer vocabulary({"a", "b", "c", "d", "e", "f", "g", "h"});
  return vocabulary;
}

// Sentence b of packed ids.
inline std::vector<int> sentence(const PackedIds& packed, std::size_t b) {
  return {packed.ids.begin() + packed.offsets[b], packed.ids.begin() + packed.offsets[b + 1]};
}

inline std::vector<int> target_output(const Batch& batch, std::size_t b) {
  const Offsets& offsets = batch.target_input.offsets;
  return {batch.target_output.begin() + offsets[b], batch.target_output.begin() + offsets[b + 1]};
}

}  // namespace attn::test
