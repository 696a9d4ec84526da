// A configuration as JSON.
#pragma once

#include "base/settings.h"
#include "storage/json.h"

namespace attn {

// {"d_model": 512, "norm": "post", "tie_embeddings": true, …}: numbers become
// numbers, yes and no become booleans, and everything else is a string.
Json settings_json(const Settings& settings);

}  // namespace attn
