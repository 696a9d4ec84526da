// How one number of a trace comes about: which numbers made it.
#pragma once

#include "lab/web/play_model.h"
#include "storage/json.h"

namespace attn::web {

// Of element (row, column) of value number `at` of the last trace; the column of a vector is −1.
// Adds to the answer
//     name, row, column, formula
//     terms    [{"parts": [{"name", "row", "column", "value", "text"}], "value"}]: a term is the
//              product of its parts; a part without a name is a constant, which its text spells
//     lines    [{"text", "value"}]: what follows from the terms, down to the result
//     result
void add_explanation(const PlayModel& play, std::size_t at, Index row, Index column, Json& answer);

}  // namespace attn::web
