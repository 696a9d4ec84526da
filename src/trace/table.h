// For each value of a Transformer its formula, the paper's section, and how its numbers follow from
// others; and what names such as "encoder.0.self_attention.heads.1.S" say, of whatever model.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"

namespace attn {

struct Row {
  // Patterns that the end of a name fits, "z|heads.*.S"; a * is any text without a dot.
  const char* name;
  // "S = Q Kᵀ"; what has no left side is its own symbol. What follows a ? goes with an operand that
  // may be missing. %0 is the last part of the name, %1 and %2 the symbols of the first factors of
  // the first two terms.
  const char* formula = nullptr;
  // "Q[ik] K[jk]": element [ij] is the sum of these products over k; perhaps of several, + or −,
  // and with a function of the sum before it, "softmax: A[ij]". Empty: the value is given. A factor
  // is a constant, "1/√d_k", or an operand, which is looked for in the value's own part of the
  // model, then in those around it, parameters among them:
  //     a|b         the first of them that was shown
  //     a?          if it was not shown, its term is left out; of a mask only the mask
  //     x=[ij]      1 where element i of x is j, else 0
  //     a>[ij]      1 where a is positive, else 0
  //     ln:a[ij]    the logarithm
  //     a[ip]       p: the column that makes a pair with j
  //     heads.*.a   of all heads, side by side
  //     decoder.*.a the sum over the layers
  //     norm.a      of the norm whose x̂ or ds came last
  //     stream, …   the last value before of some kind (explanation.cpp)
  // In heads, other parts' columns j are those of the head.
  const char* how = "";
  // The models that it is for: a setting of theirs, "norm=pre", perhaps several; empty: all.
  const char* when = "";
  // A value that no layer has in memory is computed by the trace and follows this one.
  const char* after = "";
};

const std::vector<Row>& table();
// Whether a model with these settings has such rows.
bool is_for(const Row& row, const Settings& settings);
// The row of a value; null if it has none. Only a Transformer's values are in the table.
const Row* row_of(const std::string& name, const Settings& settings);
// The section of the paper that a row is of, "§3.2.1, eq. (1)".
std::string section_of(const Row& row);

// Whether the end of a name is like one of several patterns.
bool fits(const char* patterns, const std::string& name);
// "encoder.0.self_attention.heads.1"; and "S".
std::string part_of(const std::string& name);
std::string last_of(const std::string& name);
// The number of the layer, and of the head: 0 and 1; −1 if it is in none.
Index layer_of(const std::string& name);
Index head_of(const std::string& name);
// "encoder" or "decoder".
std::string stack_of(const std::string& name);
// Whether it is inside an encoder–decoder attention.
bool is_cross(const std::string& name);
// The name of a value's gradient: a d before the last part.
std::string gradient_name(const std::string& name);

}  // namespace attn
