// A value of a trace for people.
#pragma once

#include <string>

#include "trace/trace.h"

namespace attn {

constexpr std::size_t kTextColumns = 100;

// A value as a heading of two lines (name, shape, formula; section) and its numbers, rows and
// columns named by tokens. Wide matrices are folded to fit. Unless `all` is set, rows and columns
// beyond a few dozen are left out, with … in their place.
std::string value_text(const TraceValue& value, bool all);

}  // namespace attn
