#include "app/trace_narrow.h"

#include <algorithm>
#include <string>

#include "text/lines.h"

namespace attn::app {

namespace {

// Whether the parts of `wanted` stand one after another in the name.
bool has_parts(const std::string& name, const std::string& wanted) {
  const std::vector<std::string> parts = split(name, '.'), some = split(wanted, '.');
  return std::search(parts.begin(), parts.end(), some.begin(), some.end()) != parts.end();
}

// Whether the value has this name or word. A gradient goes by the name of its value too.
bool is_named(const TraceValue& value, const std::string& wanted, bool backward) {
  if (wanted.empty()) return false;
  return wanted == value.word || has_parts(value.name, wanted) ||
         (backward && has_parts(value.name, gradient_name(wanted)));
}

// The last parts of all names, each once, for an error.
std::string last_parts(const std::vector<TraceValue>& values) {
  std::vector<std::string> names;
  for (const TraceValue& value : values) {
    const std::string last = split(value.name, '.').back();
    if (std::find(names.begin(), names.end(), last) == names.end()) names.push_back(last);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  return list;
}

}  // namespace

std::vector<TraceValue> narrowed(std::vector<TraceValue> values, const Arguments& arguments,
                                 const Config& config) {
  const auto keep = [&values](const auto& wanted) {
    const auto unwanted = [&](const TraceValue& value) { return !wanted(value); };
    values.erase(std::remove_if(values.begin(), values.end(), unwanted), values.end());
  };
  const Index layer = arguments.number_or("layer", -1, 0, config.layers - 1);
  const Index head = arguments.number_or("head", -1, 0, config.heads - 1);
  keep([&](const TraceValue& value) {
    return (layer < 0 || value.layer == layer) && (head < 0 || value.head == head) &&
           (!value.weight || arguments.has("weights"));
  });
  if (!arguments.has("only")) return values;

  const bool backward = arguments.has("backward");
  const std::vector<std::string> names = split(arguments.value("only"), ',');
  for (const std::string& name : names) {
    const bool found = std::any_of(values.begin(), values.end(), [&](const TraceValue& value) {
      return is_named(value, name, backward);
    });
    if (!found) fail_usage("nothing here is named '", name, "'; there are: ", last_parts(values));
  }
  keep([&](const TraceValue& value) {
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return is_named(value, name, backward); });
  });
  return values;
}

}  // namespace attn::app
