// What `attention trace --json` prints.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "storage/json.h"
#include "support/program.h"

namespace attn::test {

inline Json trace_json(const std::string& options) {
  return json_of(run("trace --json " + options));
}

// The names of the values, without the object's first member, which says what is traced.
inline std::vector<std::string> names_of(const Json& trace) {
  std::vector<std::string> names;
  for (const Json::Member& member : trace.members()) names.push_back(member.key);
  REQUIRE(names.at(0) == "trace");
  names.erase(names.begin());
  return names;
}

}  // namespace attn::test
