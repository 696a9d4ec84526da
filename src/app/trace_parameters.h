// How each parameter's gradient is made, at the end of the backward pass.
#pragma once

#include "app/trace_value.h"
#include "model/transformer.h"

namespace attn::app {

// Records the gradients of all parameters, as the model holds them.
void add_parameter_gradients(TraceRecorder& out, Transformer& model, const TraceTokens& tokens);

}  // namespace attn::app
