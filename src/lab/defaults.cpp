// Found by trying others, as those in app/defaults.cpp.
#include "lab/defaults.h"

#include "lab/language/decoder_only_config.h"
#include "lab/predecessors/convs2s_config.h"
#include "lab/predecessors/recurrent_config.h"

namespace attn {

namespace {

// For half a megabyte and ten minutes on two processors: of a few short runs, small batches, a high
// rate and pre-norm, which bears it, had the smallest perplexity.
Defaults language_defaults() {
  Defaults d;
  d.preset = "small";
  d.sizes = {{"layers", "4"}, {"d_model", "160"}, {"d_ff", "640"}, {"d_k", "40"}, {"d_v", "40"}};
  // Smoothing would give a tenth of the probability to impossible tokens, for sampling to draw.
  d.model = {{"norm", "pre"}, {"dropout", "0.2"}, {"label_smoothing", "0"}};
  d.training.batch_tokens = 1024;
  d.training.warmup = 500;
  d.training.learning_rate_scale = 1;
  d.training.averaging = 0.999;
  d.training.clip = 1;
  d.training.hold_out = 20;
  d.training.validate_every = 200;
  return d;
}

// A configuration with the sizes that it has in common with the Transformer's.
template <class Config>
Settings settings_with(const TransformerConfig& sizes) {
  Config config;
  config.layers = sizes.layers;
  config.d_model = sizes.d_model;
  config.dropout = sizes.dropout;
  return to_settings(config);
}

// The one stack of a decoder-only model is as deep as the Transformer's two.
Settings decoder_settings(const TransformerConfig& sizes) {
  DecoderOnlyConfig config{sizes};
  config.layers *= 2;
  return to_settings(config);
}

}  // namespace

Defaults any_defaults_of(const std::string& task) {
  return task == "language" ? language_defaults() : defaults_of(task);
}

const Architectures& all_architectures() {
  static const Architectures all = [] {
    Architectures architectures = transformer_alone();
    architectures.push_back({"decoder", decoder_settings});
    for (const char* cell : {"rnn", "gru", "lstm"}) {
      architectures.push_back({cell, settings_with<RecurrentConfig>});
    }
    architectures.push_back({"convs2s", settings_with<ConvS2SConfig>});
    return architectures;
  }();
  return all;
}

}  // namespace attn
