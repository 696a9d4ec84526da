// A value of a trace for people.
#pragma once

#include <string>

#include "trace/trace.h"

namespace attn {

constexpr std::size_t kTextColumns = 100;

// A heading of two lines (name, shape, formula; section) and the numbers, rows and columns named by
// tokens, folded to fit. Unless `all`, … replaces rows and columns beyond a few dozen.
std::string value_text(const TraceValue& value, bool all);

}  // namespace attn
