// A part of a trace.
#pragma once

#include <string>
#include <vector>

#include "trace/trace_value.h"

namespace attn {

struct TraceSelection {
  Index layer = -1, head = -1;     // only those of this layer, this head; −1: all
  bool weights = false;            // parameters as well
  std::vector<std::string> names;  // only these; empty: all
};

// The values that are selected, in their order. A name is the whole of a value's, some parts of it
// that follow each other (S, heads.1, encoder.0) or its word; a gradient goes by the name of its
// value too. Throws Error for a name that no value has, and lists those there are.
std::vector<TraceValue> selected(std::vector<TraceValue> values, const TraceSelection& selection);

}  // namespace attn
