// Presets, the number of weights and an estimate of memory.
#include "model/config.h"

#include <utility>

namespace attn {

// Without vocabularies; layers, d_model, d_ff, heads, d_k, d_v and dropout.
constexpr std::pair<const char*, TransformerConfig> kPresets[] = {
    {"tiny", {0, 0, 2, 64, 256, 4, 16, 16, 0.1}},
    {"small", {0, 0, 3, 256, 1024, 4, 64, 64, 0.1}},
    {"base", {0, 0, 6, 512, 2048, 8, 64, 64, 0.1}},
    {"big", {0, 0, 6, 1024, 4096, 16, 64, 64, 0.3}},
};

Index count_weights(const TransformerConfig& c, double vocabulary, double attentions,
                    double stacks) {
  const double d = to_double(c.d_model), qk = to_double(c.heads) * to_double(c.d_k),
               v = to_double(c.heads) * to_double(c.d_v);
  const double attention = d * (2 * qk + v) + v * d + (c.attention_bias ? 2 * qk + v + d : 0);
  const double feed_forward = 2 * d * to_double(c.d_ff) + to_double(c.d_ff) + d;
  const double norm = 2 * d;
  const double layers =
      to_double(c.layers) * (attentions * (attention + norm) + stacks * (feed_forward + norm));
  const double positions = c.positions == Positions::learned ? to_double(c.max_positions) : 0;
  const double final_norms = c.norm == NormPlacement::pre ? stacks * norm : 0;
  return weight_count((vocabulary + stacks * positions) * d + layers + final_norms);
}

void estimate_kept(const TransformerConfig& c, double attentions, double stacks,
                   ModelFacts& facts) {
  // Of a token, one attention keeps Q, K, V and Concat, and P for each token of its sentence; the
  // feed-forward network its hidden layer; Add & Norm x̂ and what the next sub-layer reads, with
  // pre-norm once more.
  const double attention = 2 * to_double(c.heads) * to_double(c.d_k + c.d_v);
  const double hidden = to_double(c.d_ff), x = to_double(c.d_model), layers = to_double(c.layers);
  const double norm = (c.norm == NormPlacement::pre ? 3 : 2) * x;
  const double gradients = attention + 2 * hidden + 6 * x;
  facts.kept_per_token =
      layers * (attentions * (attention + norm) + stacks * (hidden + norm)) + gradients;
  facts.kept_per_pair = layers * attentions * to_double(c.heads);
}

Index parameter_count(const TransformerConfig& c) {
  const double source = to_double(c.source_vocabulary), target = to_double(c.target_vocabulary);
  return count_weights(c, c.tie_embeddings ? source : source + 2 * target, 3, 2);
}

ModelFacts facts_of(const TransformerConfig& c) {
  ModelFacts facts = basic_facts(c);
  if (c.positions == Positions::learned) facts.longest_sentence = c.max_positions;
  estimate_kept(c, 3, 2, facts);
  return facts;
}

void check(const TransformerConfig& c) {
  check_settings(c);
  check_tied(c.tie_embeddings, c.source_vocabulary, c.target_vocabulary);
  parameter_count(c);
}

void set_head_sizes(TransformerConfig& config) {
  if (config.heads < 1 || config.d_model < 1) return;  // which check() refuses
  ATTN_CHECK(config.d_model % config.heads == 0, "a d_model of ", config.d_model,
             " cannot be shared out among ", config.heads,
             " heads; choose heads so that it divides d_model, or give both d_k and d_v");
  config.d_k = config.d_v = config.d_model / config.heads;
}

TransformerConfig preset(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& [known, config] : kPresets) {
    if (name == known) return config;
    names.push_back(known);
  }
  fail("unknown preset '", name, "'; there are: ", comma_list(names));
}

}  // namespace attn
