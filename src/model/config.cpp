// Presets, the number of weights and an estimate of memory.
#include "model/config.h"

#include <utility>

#include "model/checked_config.h"

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

double count_activations(const TransformerConfig& c, double attentions, double stacks, Index tokens,
                         Index sentence_length) {
  const auto size = [](Index rows, Index cols) { return to_double(rows) * to_double(cols); };
  // One attention keeps Q, K, V, Concat and P; the feed-forward network its hidden layer; Add &
  // Norm x̂ and what the next sub-layer reads, with pre-norm once more.
  const double attention =
      size(tokens, 2 * c.heads * (c.d_k + c.d_v)) + size(tokens * c.heads, sentence_length);
  const double hidden = size(tokens, c.d_ff), x = size(tokens, c.d_model);
  const double norm = (c.norm == NormPlacement::pre ? 3 : 2) * x;
  const double layers =
      to_double(c.layers) * (attentions * (attention + norm) + stacks * (hidden + norm));
  return layers + size(tokens, 2 * c.heads * (c.d_k + c.d_v)) + 2 * hidden + 6 * x;
}

Index parameter_count(const TransformerConfig& c) {
  const double source = to_double(c.source_vocabulary), target = to_double(c.target_vocabulary);
  return count_weights(c, c.tie_embeddings ? source : source + 2 * target, 3, 2);
}

double training_memory(const TransformerConfig& c, Index tokens, Index sentence_length,
                       Index further_copies) {
  return training_bytes(parameter_count(c), further_copies,
                        count_activations(c, 3, 2, tokens, sentence_length), tokens,
                        c.target_vocabulary);
}

Index longest_sentence(const TransformerConfig& config) {
  return config.positions == Positions::learned ? config.max_positions : kAnyLength;
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
