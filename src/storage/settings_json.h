// Settings as JSON.
#pragma once

#include "base/settings.h"
#include "storage/json.h"

namespace attn {

// {"d_model": 512, "norm": "post", "tie_embeddings": true, …}: numbers, and yes and no, get the
// types that they have in JSON; everything else is a string.
Json settings_json(const Settings& settings);

}  // namespace attn
