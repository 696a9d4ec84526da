// The default settings of every task and every kind of model.
#pragma once

#include <string>

#include "app/defaults.h"

namespace attn {

// As defaults_of: for copy, reverse, text and language.
Defaults any_defaults_of(const std::string& task);

// Those of plan_any_model (lab/models.h).
const Architectures& all_architectures();

}  // namespace attn
