// A trace for tools.
#pragma once

#include "storage/json.h"
#include "trace/subject.h"
#include "trace/trace.h"

namespace attn {

// {"d_model": 512, "norm": "post", "tie_embeddings": true, …}: numbers become numbers, yes and no
// become booleans, and everything else is a string.
Json settings_json(const Settings& settings);
// [1.5, …] of a vector, [[1.5, …], …] of a matrix.
Json numbers_json(const Tensor& x);
// ["Jane", …]
template <class Texts>
Json texts_json(const Texts& texts) {
  return Json::array({texts.begin(), texts.end()});
}
// {"source", "target", "translated", "configuration"}
Json subject_json(const TraceSubject& subject);
// {"symbol", "formula", "shape", "section", "rows", "columns"}; the same with its "data".
Json description_json(const TraceValue& value);
Json value_json(const TraceValue& value);

}  // namespace attn
