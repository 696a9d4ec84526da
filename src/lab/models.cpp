// What the core knows of a model is its settings, and how to make it from them.
#include "lab/models.h"

#include "base/check.h"
#include "lab/language/decoder_only.h"
#include "lab/predecessors/convs2s.h"
#include "lab/predecessors/recurrent_model.h"

namespace attn {

ModelPlan plan_any_model(const Settings& settings, const std::string& where) {
  const std::string& name = architecture_of(settings, where);
  if (name == "decoder") return plan_of<DecoderOnly, DecoderOnlyConfig>(settings, where);
  if (name == "rnn" || name == "gru" || name == "lstm") {
    return plan_of<RecurrentModel, RecurrentConfig>(settings, where);
  }
  if (name == "convs2s") return plan_of<ConvS2S, ConvS2SConfig>(settings, where);
  ATTN_CHECK(name == "transformer", where, ": unknown architecture '", name,
             "'; there are: transformer, decoder, rnn, gru, lstm, convs2s");
  return plan_transformer(settings, where);
}

}  // namespace attn
