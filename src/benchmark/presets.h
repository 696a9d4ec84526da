// The presets as benchmarks measure them: with a vocabulary of the usual size.
#pragma once

#include <string>

#include "model/config.h"

namespace attn {

// The paper's (§5.1) for base and big, the most that `train text` has for small, that of the toy
// tasks for tiny.
Index usual_vocabulary(const std::string& preset_name);

// A preset with its usual vocabulary. Throws Error if there is none of that name.
TransformerConfig measured_preset(const std::string& name);

}  // namespace attn
