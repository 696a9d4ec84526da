// What a trace says about a value besides its numbers, all of it read from the value's name and
// from the file that showed it.
#pragma once

#include <string>

#include "layers/parameter.h"
#include "layers/pass.h"
#include "trace/trace_value.h"

namespace attn {

// A value that a layer showed. `before` is the value before it, null for the first: what belongs to
// no sub-layer of its own, such as z, belongs to that one's.
TraceValue described(const SeenValue& seen, const TraceTokens& tokens, const TraceValue* before);

// A parameter, and the value that it is used for; and its gradient.
TraceValue described_weight(const std::string& name, const Parameter& parameter,
                            const TraceTokens& tokens, const TraceValue& used_for);
TraceValue described_gradient(const std::string& name, const Parameter& parameter,
                              const TraceTokens& tokens);

// The name of the first value that a parameter is used for. Throws Error for a parameter whose kind
// is not known.
std::string value_made_with(const std::string& parameter_name);

}  // namespace attn
