// Settings by name, presets, and the number of weights.
#include "model/config.h"

#include "base/check.h"
#include "base/number.h"
#include "layers/output_projection.h"

namespace attn {

namespace {

const std::vector<Setting<TransformerConfig>>& all_settings() {
  using T = TransformerConfig;
  static const std::vector<Setting<T>> settings = {
      number_setting("source_vocabulary", &T::source_vocabulary),
      number_setting("target_vocabulary", &T::target_vocabulary),
      number_setting("layers", &T::layers),
      number_setting("d_model", &T::d_model),
      number_setting("d_ff", &T::d_ff),
      number_setting("heads", &T::heads),
      number_setting("d_k", &T::d_k),
      number_setting("d_v", &T::d_v),
      number_setting("dropout", &T::dropout),
      number_setting("attention_dropout", &T::attention_dropout),
      number_setting("relu_dropout", &T::relu_dropout),
      number_setting("label_smoothing", &T::label_smoothing),
      either_setting<T, Positions>("positions", &T::positions,
                                   {"sinusoidal", Positions::sinusoidal},
                                   {"learned", Positions::learned}),
      number_setting("max_positions", &T::max_positions),
      either_setting<T, NormPlacement>("norm", &T::norm, {"post", NormPlacement::post},
                                       {"pre", NormPlacement::pre}),
      either_setting<T, bool>("attention_bias", &T::attention_bias, {"yes", true}, {"no", false}),
      either_setting<T, bool>("tie_embeddings", &T::tie_embeddings, {"yes", true}, {"no", false}),
  };
  return settings;
}

struct Preset {
  const char* name;
  Index layers, d_model, d_ff, heads;
  double dropout;
};
constexpr Preset kPresets[] = {
    {"tiny", 2, 64, 256, 4, 0.1},
    {"small", 3, 256, 1024, 4, 0.1},
    {"base", 6, 512, 2048, 8, 0.1},
    {"big", 6, 1024, 4096, 16, 0.3},
};

// In floating point, which is exact up to 2⁵³ and does not overflow, whatever the sizes.
double exact_parameter_count(const TransformerConfig& c) {
  const double d = to_double(c.d_model), qk = to_double(c.heads) * to_double(c.d_k),
               v = to_double(c.heads) * to_double(c.d_v);
  const double attention = d * (2 * qk + v) + v * d + (c.attention_bias ? 2 * qk + v + d : 0);
  const double feed_forward = 2 * d * to_double(c.d_ff) + to_double(c.d_ff) + d;
  const double norm = 2 * d;
  const double encoder_layer = attention + feed_forward + 2 * norm;
  const double decoder_layer = 2 * attention + feed_forward + 3 * norm;
  const double embeddings =
      c.tie_embeddings ? to_double(c.source_vocabulary) * d
                       : (to_double(c.source_vocabulary) + 2 * to_double(c.target_vocabulary)) * d;
  const double positions =
      c.positions == Positions::learned ? 2 * to_double(c.max_positions) * d : 0;
  const double final_norms = c.norm == NormPlacement::pre ? 2 * norm : 0;
  return embeddings + positions + to_double(c.layers) * (encoder_layer + decoder_layer) +
         final_norms;
}

}  // namespace

Index parameter_count(const TransformerConfig& config) {
  return static_cast<Index>(exact_parameter_count(config));
}

double training_memory(const TransformerConfig& c, Index tokens, Index sentence_length,
                       Index further_copies) {
  const auto size = [](Index rows, Index cols) { return to_double(rows) * to_double(cols); };
  const double weights = size(4 + further_copies, parameter_count(c));
  // One attention keeps Q, K, V, Concat and P; the feed-forward network its hidden layer; Add &
  // Norm x̂ and what the next sub-layer reads, with pre-norm once more.
  const double attention =
      size(tokens, 2 * c.heads * (c.d_k + c.d_v)) + size(tokens * c.heads, sentence_length);
  const double hidden = size(tokens, c.d_ff), x = size(tokens, c.d_model);
  const double norm = (c.norm == NormPlacement::pre ? 3 : 2) * x;
  const double layers = to_double(c.layers) * (3 * attention + 2 * hidden + 5 * norm);
  const double gradients = size(tokens, 2 * c.heads * (c.d_k + c.d_v)) + 2 * hidden + 6 * x;
  const Index V = c.target_vocabulary;
  const double logits = size(tokens_at_once(tokens, V), V);
  constexpr double kProgram = 16e6;  // bytes
  return kProgram + sizeof(Real) * (weights + layers + gradients + logits);
}

Index longest_sentence(const TransformerConfig& config) {
  return config.positions == Positions::learned ? config.max_positions : kAnyLength;
}

void check(const TransformerConfig& c) {
  // Large enough for anything that fits in memory, small enough that products of three fit an
  // Index.
  constexpr Index most = 1 << 20;
  const auto size = [most](const char* name, Index value) {
    ATTN_CHECK(value >= 1 && value <= most, name, " must be 1 to ", most, ", not ", value);
  };
  const auto probability = [](const char* name, double p) {
    ATTN_CHECK(p >= 0 && p < 1, name, " must be at least 0 and less than 1, not ", shortest(p));
  };
  size("layers", c.layers);
  size("d_model", c.d_model);
  size("d_ff", c.d_ff);
  size("heads", c.heads);
  size("d_k", c.d_k);
  size("d_v", c.d_v);
  size("max_positions", c.max_positions);
  probability("dropout", c.dropout);
  probability("attention_dropout", c.attention_dropout);
  probability("relu_dropout", c.relu_dropout);
  probability("label_smoothing", c.label_smoothing);
  ATTN_CHECK(c.source_vocabulary >= 3 && c.source_vocabulary <= 16 * most &&
                 c.target_vocabulary >= 3 && c.target_vocabulary <= 16 * most,
             "a vocabulary has at least the 3 special tokens and at most ", 16 * most,
             " tokens, not ", c.source_vocabulary, " and ", c.target_vocabulary);
  ATTN_CHECK(!c.tie_embeddings || c.source_vocabulary == c.target_vocabulary,
             "tied embeddings need one vocabulary for both languages, not ", c.source_vocabulary,
             " and ", c.target_vocabulary, " tokens");
  ATTN_CHECK(exact_parameter_count(c) < static_cast<double>(kLargestCount),
             "a model of these sizes would have ", shortest(exact_parameter_count(c)),
             " weights, more than any memory holds");
}

void set_head_sizes(TransformerConfig& config) {
  ATTN_CHECK(config.heads >= 1 && config.d_model % config.heads == 0, "a d_model of ",
             config.d_model, " cannot be shared out among ", config.heads,
             " heads; choose --heads so that it divides --d-model, or give both --d-k and --d-v");
  config.d_k = config.d_v = config.d_model / config.heads;
}

TransformerConfig preset(const std::string& name) {
  std::vector<std::string> names;
  for (const Preset& one : kPresets) {
    names.push_back(one.name);
    if (name != one.name) continue;
    TransformerConfig config;
    config.layers = one.layers;
    config.d_model = one.d_model;
    config.d_ff = one.d_ff;
    config.heads = one.heads;
    set_head_sizes(config);
    config.dropout = one.dropout;
    return config;
  }
  fail("unknown preset '", name, "'; there are: ", comma_list(names));
}

bool TransformerConfig::operator==(const TransformerConfig& other) const {
  return to_settings(*this) == to_settings(other);
}

Settings to_settings(const TransformerConfig& config) {
  return write_settings(all_settings(), config);
}

void set(TransformerConfig& config, const std::string& name, const std::string& value) {
  read_setting(all_settings(), config, name, value);
}

TransformerConfig config_from_settings(const Settings& settings, const std::string& where) {
  TransformerConfig config;
  try {
    read_settings(all_settings(), config, settings);
    check(config);
  } catch (const Error& error) {
    fail(where, ": ", error.what());
  }
  return config;
}

}  // namespace attn
