// Every kind of model, the Transformer among them.
#pragma once

#include "model/model_plan.h"

namespace attn {

// As plan_transformer: knows transformer, decoder, rnn, gru, lstm and convs2s.
ModelPlan plan_any_model(const Settings& settings, const std::string& where);

}  // namespace attn
