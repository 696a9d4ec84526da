#include <doctest/doctest.h>

#include "model/config.h"
#include "storage/json.h"
#include "support/program.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("inspect");

namespace {
Json inspect_json(const std::string& options) {
  const Outcome outcome = run("inspect --json " + options);
  CHECK(outcome.err.empty());
  return json_of(outcome);
}
}  // namespace

TEST_CASE("the parameters of a preset add up to what the formula says") {
  for (const std::string name : {"tiny", "small", "base"}) {
    CAPTURE(name);
    const Json result = inspect_json("--preset " + name + " --vocabulary 1000");
    TransformerConfig config = preset(name);
    config.source_vocabulary = config.target_vocabulary = 1000;
    Index sum = 0, encoder = 0;
    for (const Json& parameter : result.at("parameters").items()) {
      Index elements = 1;
      for (const Json& size : parameter.at("shape").items()) elements *= size.integer();
      CHECK(parameter.at("count").integer() == elements);
      sum += elements;
      if (parameter.at("name").string().rfind("encoder.", 0) == 0) encoder += elements;
    }
    CHECK(sum == parameter_count(config));
    const Json& totals = result.at("totals");
    CHECK(totals.at("all").integer() == sum);
    CHECK(totals.at("embeddings").integer() + totals.at("encoder").integer() +
              totals.at("decoder").integer() ==
          sum);
    CHECK(totals.at("embeddings").integer() == 1000 * config.d_model);
    CHECK(totals.at("encoder").integer() == encoder);
    CHECK(result.at("configuration").at("d_model").integer() == config.d_model);
    CHECK(result.at("configuration").at("tie_embeddings").boolean());
    CHECK(result.at("configuration").at("norm").string() == "post");
  }
}

TEST_CASE("a trained model is shown parameter by parameter") {
  const auto model = load_model(small_run());
  const Outcome outcome = worked(run("inspect --model " + small_run()));
  const Json json = inspect_json("--model " + small_run());
  std::size_t count = 0;
  model->visit_parameters([&](const std::string& name, Parameter& parameter) {
    CAPTURE(name);
    CHECK(contains(outcome.out, "  " + name + " "));
    CHECK(contains(outcome.out, to_string(parameter.value.shape())));
    CHECK(json.at("parameters").items().at(count++).at("name").string() == name);
  });
  CHECK(json.at("parameters").items().size() == count);
  for (const auto& [name, value] : model->facts.settings) {
    const std::string line = "  " + name + std::string(20 - name.size(), ' ') + value + "\n";
    CHECK_MESSAGE(contains(outcome.out, line), line);
    CHECK(json.at("configuration").find(name) != nullptr);
  }
}

TEST_SUITE_END();

}  // namespace attn::test
