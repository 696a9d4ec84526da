#include "trace/trace_json.h"

#include <algorithm>
#include <limits>

#include "storage/safetensors.h"

namespace attn {

// Settings are text; what reads as JSON by itself is taken for that.
static Json typed(const std::string& value) {
  if (value == "yes" || value == "no") return value == "yes";
  try {
    return parse_json(value, "setting");
  } catch (const Error&) {
    return value;
  }
}

Json settings_json(const Settings& settings) {
  Json result = Json::object();
  for (const auto& [name, value] : settings) result.add(name, typed(value));
  return result;
}

Json numbers_json(const Tensor& x) {
  if (x.shape().rank == 1) return Json::array({x.data(), x.data() + x.elements()});
  Json rows = Json::array();
  for (Index i = 0; i < x.rows(); ++i) rows.add(Json::array({x.row(i), x.row(i) + x.cols()}));
  return rows;
}

Json subject_json(const TraceSubject& subject) {
  return Json::object({{"source", subject.source},
                       {"target", subject.target},
                       {"translated", subject.translated},
                       {"configuration", settings_json(subject.model->facts.settings)}});
}

Json description_json(const TraceValue& value) {
  return Json::object({{"symbol", value.symbol},
                       {"formula", value.formula},
                       {"shape", sizes_json(value.data.shape())},
                       {"section", value.section()},
                       {"rows", texts_json(value.rows)},
                       {"columns", texts_json(value.columns)}});
}

Json value_json(const TraceValue& value) {
  const Real *begin = value.data.data(), *end = begin + value.data.elements();
  const bool known =
      std::all_of(begin, end, [](Real x) { return x <= std::numeric_limits<Real>::max(); });
  ATTN_CHECK(known, value.name, " holds NaN or infinity, which JSON cannot say: leave out --json");
  Json json = description_json(value);
  json.add("data", numbers_json(value.data));
  return json;
}

}  // namespace attn
