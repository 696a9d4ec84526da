// What a trace says about a parameter and its gradient, derived from the parameter's name.
#pragma once

#include <string>

#include "lab/trace/trace_value.h"
#include "layers/parameter.h"

namespace attn {

// A parameter, which shares the heading of the value that it is used for; and its gradient.
TraceValue described_weight(const std::string& name, const Parameter& parameter,
                            const TraceTokens& tokens, const TraceValue& used_for);
TraceValue described_gradient(const std::string& name, const Parameter& parameter,
                              const TraceTokens& tokens);

// The name of the first value that a parameter is used for. Throws Error for a parameter whose kind
// is not known.
std::string value_made_with(const std::string& parameter_name);

}  // namespace attn
