// What a benchmark found is JSON: each number once, by name. The tables for people show some of
// them.
#pragma once

#include <string>

#include "storage/json.h"

namespace attn {

// "148.3": operations or bytes per second, in units of 10⁹
std::string giga(double per_second);
// "1.735 s", "12.34 ms", "5.6 µs"
std::string short_time(double seconds);

std::string machine_text(const Json& machine);

// Of measure_ladder: a row for each rung, two columns for each size.
std::string ladder_text(const Json& ladder);
// A line for each rung: what slowed the one before.
std::string rungs_explained();
// Of measure_shapes: a row for each product; its speeds on one thread and on all.
std::string shapes_text(const Json& shapes);

// Of measure_layers: the times of each kind of layer, with its speeds.
std::string layers_text(const Json& times);
// The same, briefly, as shares of the step.
std::string layer_shares_text(const Json& times);

std::string steps_text(const Json& steps);

// Of several measure_decoding.
std::string decoding_text(const Json& speeds);

}  // namespace attn
