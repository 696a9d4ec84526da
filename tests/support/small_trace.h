// A sentence pair to be traced.
#pragma once

#include <utility>
#include <vector>

#include "support/small_models.h"
#include "trace/trace.h"

namespace attn::test {

// A sentence pair for the small models, with a word for every id.
struct Traced {
  Batch batch;
  TraceTokens tokens;
};
inline Traced small_sentence() {
  Traced traced;
  traced.batch.append({5, 3, 5, 2}, {1, 4, 9, 4, 3, 2});
  Tokenizer vocabulary;
  for (const char* word : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) {
    vocabulary.add(word, "test");
  }
  traced.tokens = trace_tokens(traced.batch, vocabulary);
  return traced;
}

// The values of the forward pass and the parameters; or the gradients.
inline std::vector<TraceValue> traced_values(SequenceModel& model, const Traced& traced,
                                             bool backward) {
  Trace trace = trace_of(model, traced.batch, traced.tokens, backward);
  std::vector<TraceValue> values;
  for (TraceValue& value : trace.values) {
    if (value.backward == backward) values.push_back(std::move(value));
  }
  return values;
}

}  // namespace attn::test
