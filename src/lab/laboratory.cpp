// The core has lists of architectures, tasks and data to learn from; the laboratory adds its own.
#include "lab/laboratory.h"

#include "lab/bracketing/bracketing.h"
#include "lab/language/decoder_only.h"
#include "lab/language/language_data.h"
#include "lab/phrasebook/phrasebook.h"
#include "lab/predecessors/convs2s.h"
#include "lab/predecessors/recurrent_model.h"
#include "model/architectures.h"
#include "tasks/task.h"
#include "training/data.h"

namespace attn {

namespace {

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
Settings decoder_settings(TransformerConfig sizes) {
  sizes.layers *= 2;
  return to_settings(DecoderOnlyConfig{sizes});
}

}  // namespace

void open_laboratory() {
  static const bool opened = [] {
    add_architecture({"decoder", decoder_settings, plan_of<DecoderOnly, DecoderOnlyConfig>});
    for (const char* cell : {"rnn", "gru", "lstm"}) {
      add_architecture(
          {cell, settings_with<RecurrentConfig>, plan_of<RecurrentModel, RecurrentConfig>});
    }
    add_architecture({"convs2s", settings_with<ConvS2SConfig>, plan_of<ConvS2S, ConvS2SConfig>});
    add_task("phrasebook", phrasebook_task);
    add_task("bracketing", bracketing_task);
    add_training_data("language", language_data);
    return true;
  }();
  static_cast<void>(opened);
}

}  // namespace attn
