// The shape of a decoder-only model.
#pragma once

#include "model/config.h"

namespace attn {

// It has the settings of the Transformer, of one stack, and one more. So what builds layers from
// a configuration builds its layers.
struct DecoderOnlyConfig : TransformerConfig {
  bool loss_on_all = false;  // predicts the source as well, not the target alone
};

// All as in model/config.h.
void check(const DecoderOnlyConfig& config);
Index parameter_count(const DecoderOnlyConfig& config);
ModelFacts facts_of(const DecoderOnlyConfig& config);
// The most tokens that it reads at once, a window of a text or the two sides of a pair together.
Index longest_window(const DecoderOnlyConfig& config);

template <class Visit>
void visit_settings(DecoderOnlyConfig& c, const Visit& visit) {
  visit_constant("architecture", "decoder", visit);
  visit("loss", c.loss_on_all, OneOf<bool>{{"target", false}, {"all", true}});
  visit_layer_settings(c, visit);
}

}  // namespace attn
