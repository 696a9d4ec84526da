// Everything that a trace says about a value except its numbers, derived from the value's name and
// from the file that showed it.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/trace/trace_value.h"
#include "layers/pass.h"

namespace attn {

// Describes the values of one pass, in their order: what a value belongs to, and the symbols of
// what it is computed from, also depend on the values before it.
class Describer {
 public:
  explicit Describer(const TraceTokens& tokens) : tokens_(tokens) {}
  TraceValue describe(const SeenValue& seen);

 private:
  std::string with_symbols(const std::string& formula) const;
  void remember(const TraceValue& value, const std::vector<std::string>& parts);

  const TraceTokens& tokens_;
  // What layers call the values that they read (u, x, f, dy …), and the symbols of these values.
  std::map<std::string, std::string> symbols_;
  std::string stage_;
  Index layer_ = -1;
};

}  // namespace attn
