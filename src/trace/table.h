// The table of a trace: for each value of a Transformer its formula, the section of the paper that
// defines it, and how each of its numbers follows from others.
#pragma once

#include <string>
#include <vector>

#include "base/settings.h"

namespace attn {

struct Row {
  // Patterns that the end of a name fits, "z|heads.*.S"; a * is any text without a dot.
  const char* name;
  // "S = Q Kᵀ"; what has no left side is its own symbol. In braces: what goes with an operand that
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
  //     %           the sub-layer that the value is of, "self_attention"
  //     norm.a      of the norm before the value
  //     stream, …   the last value before of some kind (explanation.cpp)
  // In heads, other parts' columns j are those of the head.
  const char* how = "";
  // The models that it is for: a setting of theirs, "norm=pre"; empty: all.
  const char* when = "";
  // A value that no layer has in memory is computed by the trace and follows this one.
  const char* after = "";
  const char* section = "";  // of the paper, "§3.2.1, eq. (1)"; table() puts it there
};

const std::vector<Row>& table();

// Whether a name is like a pattern, which ends at a |; whether the end of it is like one of
// several.
bool is_like(const char* pattern, const char* name);
bool fits(const char* patterns, const std::string& name);
// Whether a model with these settings has such rows.
bool is_for(const Row& row, const Settings& settings);

}  // namespace attn
