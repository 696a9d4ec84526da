// The options of `attention trace` that leave values out.
#pragma once

#include <vector>

#include "app/options.h"
#include "app/trace_value.h"
#include "model/config.h"

namespace attn::app {

// Only the values that --layer, --head, --weights and --only ask for, in their order. A name that
// none of them has is an error of usage, which lists those that there are.
std::vector<TraceValue> narrowed(std::vector<TraceValue> values, const Arguments& arguments,
                                 const Config& config);

}  // namespace attn::app
