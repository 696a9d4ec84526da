// A benchmark's results are JSON: each number once, by name. Tables for people show some of them.
#pragma once

#include <string>

#include "storage/json.h"

namespace attn {

std::string machine_text(const Json& machine);
// Of measure_ladder: a row for each rung, two columns for each size; then what each rung removes.
std::string ladder_text(const Json& ladder);
std::string steps_text(const Json& steps);
// Of measure_parts, with shares of the step.
std::string parts_text(const Json& parts);
// Of several measure_decoding.
std::string decoding_text(const Json& speeds);

// The layers of Table 1: "layer", "complexity", "multiply_adds", "seconds", "longest_path".
std::string table1_text(const Json& layers);

}  // namespace attn
