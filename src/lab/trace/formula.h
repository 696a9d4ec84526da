// A recipe, as the paper would write it.
#pragma once

#include <string>

#include "lab/trace/trace_value.h"

namespace attn {

// "Q Kᵀ"; empty for a value that is given.
std::string formula_of(const Recipe& recipe);

}  // namespace attn
