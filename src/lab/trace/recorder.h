// Turns what layers tell of a pass into the values of a trace. It knows operations, and no layer.
#pragma once

#include <string>
#include <vector>

#include "lab/trace/finder.h"
#include "lab/trace/trace_value.h"
#include "layers/pass.h"

namespace attn {

class Recorder {
 public:
  Recorder(SequenceModel& model, const Batch& batch, const TraceTokens& tokens);

  // Both passes may be recorded.
  Watcher watcher();
  // The values of one pass in the order of computation: forward, the parameters before the values
  // that are computed from them; backward, their gradients last.
  std::vector<TraceValue> values(bool backward);

 private:
  // Where a value was made, and the heading that it is under because of that; empty: that of the
  // part.
  struct Place {
    std::string part, file, function;
    std::string stage = {};
    Index layer = -1;
  };
  void record(const SeenValue& seen);
  Recipe recipe_of(const SeenValue& seen);
  Recipe recipe_of_known(const SeenValue& seen, Place& place) const;
  void add_term(const Term& term, bool of_sum, Recipe& recipe) const;

  // The steps of fused operations, which nothing in memory shows, are values too.
  Recipe steps_of_softmax(const SeenValue& seen, Recipe recipe);
  Recipe steps_of_cross_entropy(const SeenValue& seen, const Recipe& recipe);
  TraceOperand step(const SeenValue& seen, const char* name, Tensor numbers, Recipe recipe,
                    const char* note = "");

  TraceValue& put(const SeenValue& seen, const Called& called, const Place& place, Recipe recipe,
                  const ConstMatrixView& numbers, const Shape& shape);
  void put_labels(TraceValue& value);
  Labels labels_of(const TraceOperand& x, bool columns) const;
  TraceValue described(const std::string& name, const Parameter& parameter) const;
  TraceValue* find(const std::string& name);
  const TraceValue* find(const std::string& name) const;

  SequenceModel& model_;
  const Batch& batch_;
  const TraceTokens& tokens_;
  Finder finder_;
  std::vector<TraceValue> values_;
  std::vector<TraceValue> weights_;
};

}  // namespace attn
