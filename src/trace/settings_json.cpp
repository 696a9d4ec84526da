// Settings are text; what reads as JSON by itself is taken for that.
#include "trace/settings_json.h"

namespace attn {

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

}  // namespace attn
