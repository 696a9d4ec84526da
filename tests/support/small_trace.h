// A sentence pair to be traced.
#pragma once

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
  Vocabulary vocabulary;
  for (const char* word : {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}) {
    vocabulary.add(word, "test");
  }
  traced.tokens = trace_tokens(traced.batch, vocabulary);
  return traced;
}

}  // namespace attn::test
