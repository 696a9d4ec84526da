// What can be done with a recipe: cut out a block, put two one below the other, write the formula.
#pragma once

#include <string>

#include "lab/trace/trace_value.h"

namespace attn {

// A block of an operand, and the recipe of a block of a value; the operation must be one of single
// numbers, like a sum, unless the block has all columns.
TraceOperand block_of(const TraceOperand& x, Index row, Index col, Index rows, Index cols);
Recipe block_of(const Recipe& recipe, Index row, Index col, Index rows, Index cols);

// More rows of the value of this name: its operands get those of `more` below their own.
void append_rows(Recipe& recipe, const Recipe& more, Index rows, Index more_rows,
                 const std::string& name);

// "Q Kᵀ"; empty for a value that is given.
std::string formula_of(const Recipe& recipe);

}  // namespace attn
