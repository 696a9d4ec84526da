// Turns what layers tell of a pass into the values of a trace. It knows operations, and no layer.
#pragma once

#include <string>
#include <vector>

#include "lab/trace/memory.h"
#include "layers/pass.h"
#include "model/sequence_model.h"

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
  // Where a value was made.
  struct Place {
    std::string part, file, function;
  };
  // What has been made and has no name yet.
  struct Unnamed {
    Recipe recipe;
    Index cols;
    Place place;
  };
  const Unnamed* whole_of(const TraceOperand& x, Index& row, Index& col) const;
  void record(const SeenValue& seen);
  void add_term(const Term& term, bool of_sum, Recipe& recipe) const;
  Recipe recipe_of(const SeenValue& seen);
  TraceOperand all_of_last() const;
  Recipe recipe_of_known(const SeenValue& seen, TraceValue& value) const;

  // The steps of fused operations, which nothing in memory shows, are values too.
  Recipe steps_of_softmax(const SeenValue& seen, Recipe recipe);
  Recipe steps_of_cross_entropy(const SeenValue& seen, const Recipe& recipe);
  TraceOperand step(const SeenValue& seen, const char* name, const Tensor& numbers, Recipe recipe,
                    const char* note = "");

  void put(const SeenValue& seen, const Called& called, TraceValue value, Recipe recipe,
           const ConstMatrixView& numbers, const Shape& shape);
  void name_operands(Recipe& recipe, const TraceValue& value) const;
  Labels labels_of(const TraceOperand& x, bool columns) const;
  void put_labels(const Recipe& recipe, TraceValue& value);
  TraceValue* find(const std::string& name);

  SequenceModel& model_;
  const Batch& batch_;
  const TraceTokens& tokens_;
  Memory memory_;
  std::vector<TraceValue> values_;  // the parameters first
  std::vector<Unnamed> unnamed_;    // number i is known to memory as −2 − i
};

}  // namespace attn
