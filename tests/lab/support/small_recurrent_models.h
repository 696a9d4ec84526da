// Small recurrent models of every kind.
#pragma once

#include <string>
#include <vector>

#include "lab/predecessors/recurrent_model.h"
#include "support/small_models.h"

namespace attn::test {

struct SmallRecurrentModel {
  std::string name;
  RecurrentConfig config;
};

// Every cell with every attention; two layers, and tied and untied embeddings in turn.
inline std::vector<SmallRecurrentModel> small_recurrent_models() {
  std::vector<SmallRecurrentModel> models;
  for (const Cell cell : {Cell::rnn, Cell::gru, Cell::lstm}) {
    for (const RecurrentAttention attention :
         {RecurrentAttention::none, RecurrentAttention::bahdanau, RecurrentAttention::luong_dot,
          RecurrentAttention::luong_general, RecurrentAttention::luong_concat}) {
      RecurrentConfig config;
      config.cell = cell;
      config.attention = attention;
      config.layers = 2;
      config.d_model = 5;
      config.dropout = 0;
      config.tie_embeddings = models.size() % 2 == 0;
      config.source_vocabulary = 11;
      config.target_vocabulary = config.tie_embeddings ? 11 : 13;
      const Settings settings = to_settings(config);
      models.push_back({settings.at("architecture") + ", " + settings.at("attention"), config});
    }
  }
  return models;
}

// A model whose every parameter is random, biases too. Gradients are 0. States and tokens differ
// enough for attention to prefer some of them: where it does not, its gradients drown in rounding.
inline RecurrentModel random_recurrent_model(const RecurrentConfig& config) {
  RecurrentModel model(config);
  model.visit_parameters([](const std::string& name, Parameter& p) {
    const bool small = name.find(".recurrent.") != std::string::npos;
    p.value = random_tensor(p.value.shape(), hash(name), small ? 0.5 : 1);
  });
  zero_gradients(model);
  return model;
}

}  // namespace attn::test
