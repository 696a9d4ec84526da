// Turns what layers tell of a pass into the values of a trace. It knows operations, and no layer.
#pragma once

#include <string>
#include <vector>

#include "layers/pass.h"
#include "model/sequence_model.h"
#include "trace/memory.h"
#include "trace/token_labels.h"

namespace attn {

class Recorder {
 public:
  Recorder(SequenceModel& model, const Batch& batch, const TraceTokens& tokens);

  // Both passes may be recorded.
  Watcher watcher();
  // The values of one pass in the order of computation: forward, the parameters before the values
  // that are computed from them; backward, their gradients last.
  std::vector<TraceValue> values(bool backward) const;

 private:
  void record(const SeenValue& seen);
  TraceValue value_of(const SeenValue& seen) const;  // and where it was made, without numbers
  void add_term(const Term& term, Recipe& recipe) const;
  Recipe recipe_of(const SeenValue& seen);
  TraceOperand all_of_last() const;
  Recipe recipe_of_known(const SeenValue& seen, TraceValue& value) const;

  // In fused_steps.cpp.
  Recipe steps_of_softmax(const SeenValue& seen, Recipe recipe);
  Recipe steps_of_cross_entropy(const SeenValue& seen, const Recipe& recipe);
  TraceOperand step(const SeenValue& seen, const char* name, const Tensor& numbers, Recipe recipe,
                    const char* note = "");

  void put(const SeenValue& seen, const Called& called, TraceValue value, Recipe recipe,
           const ConstMatrixView& numbers, const Shape& shape);
  TraceValue* find(const std::string& name);

  const TracedPass traced_;
  Memory memory_;
  std::vector<TraceValue> values_;  // the parameters first
};

}  // namespace attn
