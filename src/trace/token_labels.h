// Which tokens the rows and columns of a value stand for.
#pragma once

#include "trace/trace.h"

namespace attn {

// one_sequence: the model reads source and target as one.
void put_labels(const TraceTokens& tokens, bool one_sequence, TraceValue& value);

}  // namespace attn
