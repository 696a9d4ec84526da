// The values of a trace for people and for tools.
#pragma once

#include <string>
#include <vector>

#include "storage/json.h"
#include "trace/subject.h"
#include "trace/trace.h"

namespace attn {

constexpr std::size_t kTextColumns = 100;

// A value as a heading of two lines (name, shape, formula; section) and its numbers, rows and
// columns named by tokens. Wide matrices are folded to fit. Unless `all` is set, rows and columns
// beyond a few dozen are left out, with … in their place.
std::string value_text(const TraceValue& value, bool all);

// {"source", "target", "translated", "configuration"}
Json subject_json(const TraceSubject& subject);
// {"d_model": 512, "norm": "post", "tie_embeddings": true, …}: numbers become numbers, yes and no
// become booleans, and everything else is a string.
Json settings_json(const Settings& settings);
// [[1.5, …], …]
Json rows_json(const Tensor& x);
// ["Jane", …]
template <class Texts>
Json texts_json(const Texts& texts) {
  return Json::array({texts.begin(), texts.end()});
}
// {"symbol", "formula", "shape", "section", "rows", "columns"}; the same with its "data".
Json description_json(const TraceValue& value);
Json value_json(const TraceValue& value);
// {"trace": what subject_json says}, and each value under its name.
Json trace_json(const TraceSubject& subject, const std::vector<TraceValue>& values);

}  // namespace attn
