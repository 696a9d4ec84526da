// What the two programs' `evaluate` share.
#pragma once

#include "layers/cross_entropy.h"
#include "storage/json.h"

namespace attn::app {

// How well a model predicts pairs or characters, and how many: numbers in the order of printing.
Json prediction(const char* what, std::size_t count, const LossSums& sums);
void warn_of_unknown(Index unknown, Index all);
// A line for each number, or one object.
void put_result(const Json& result, bool as_json);

}  // namespace attn::app
