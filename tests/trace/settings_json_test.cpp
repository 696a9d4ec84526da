#include "trace/trace_json.h"

#include <doctest/doctest.h>

using namespace attn;

TEST_SUITE("settings as JSON") {
  TEST_CASE("numbers, yes and no have their types, and everything else is a string") {
    const Settings settings{{"d_model", "512"}, {"dropout", "0.1"},       {"norm", "post"},
                            {"tied", "yes"},    {"attention_bias", "no"}, {"source", "a \"b\""},
                            {"empty", ""},      {"infinite", "1e999"}};
    CHECK(to_json(settings_json(settings)) ==
          R"({"attention_bias":false,"d_model":512,"dropout":0.1,"empty":"","infinite":"1e999",)"
          R"("norm":"post","source":"a \"b\"","tied":true})");
    CHECK(to_json(settings_json({})) == "{}");
  }
}
