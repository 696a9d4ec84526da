// A sentence pair to be traced.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "storage/json.h"
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
  traced.tokens =
      trace_tokens(traced.batch, Tokenizer({"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"}));
  return traced;
}

// The numbers of a JSON array of arrays, or of one array, or one number; null is −∞.
inline std::vector<double> flat(const Json& data) {
  if (data.type() == Json::Type::null) return {-INFINITY};
  if (data.type() != Json::Type::array) return {data.number()};
  std::vector<double> numbers;
  for (const Json& item : data.items()) {
    for (const double number : flat(item)) numbers.push_back(number);
  }
  return numbers;
}

// As many labels as rows and columns, or none, or one for each word that there is: an untied source
// embedding may have fewer rows.
inline void check_labels(const TraceValue& value, const TraceTokens& tokens) {
  const auto fit = [&](const Labels& labels, Index count) {
    const bool vocabulary = labels.size() == tokens.vocabulary.size();
    return labels.empty() || vocabulary || static_cast<Index>(labels.size()) == count;
  };
  CHECK(fit(value.rows, value.is_vector() ? value.data.elements() : value.data.rows()));
  CHECK(fit(value.columns, value.data.cols()));
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
