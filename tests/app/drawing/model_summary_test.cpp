#include "app/drawing/model_summary.h"

#include <doctest/doctest.h>

#include "model/transformer.h"
#include "storage/safetensors.h"
#include "support/small_models.h"
#include "support/stub_model.h"

using namespace attn;
using namespace attn::test;

namespace {

// One that has parameters of these names and shapes.
struct Named final : StubModel {
  std::vector<std::pair<std::string, Parameter>> parameters;

  explicit Named(std::vector<std::pair<std::string, Parameter>> all)
      : StubModel(3, {}), parameters(std::move(all)) {}
  void visit_parameters(const ParameterVisitor& visitor) override {
    for (auto& [name, parameter] : parameters) visitor(name, parameter);
  }
};

}  // namespace

TEST_SUITE("parameters") {
  TEST_CASE("every parameter is listed with its shape, and the parts add up to all") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model(small.config);
      const Json summary = model_json(model);
      const std::vector<Json>& listed = summary.at("parameters").items();
      std::size_t next = 0;
      model.visit_parameters([&](const std::string& name, Parameter& parameter) {
        REQUIRE(next < listed.size());
        CHECK(listed[next].at("name").string() == name);
        CHECK(to_json(listed[next].at("shape")) == to_json(sizes_json(parameter.value.shape())));
        CHECK(listed[next].at("count").integer() == parameter.value.elements());
        ++next;
      });
      CHECK(next == listed.size());

      const Json& totals = summary.at("totals");
      REQUIRE(totals.members().size() == 4);
      CHECK(totals.at("all").integer() == parameter_count(small.config));
      CHECK(totals.at("embeddings").integer() + totals.at("encoder").integer() +
                totals.at("decoder").integer() ==
            totals.at("all").integer());
    }
  }

  TEST_CASE("a parameter belongs to the stack that its name begins with, or to the embeddings") {
    using Start = Parameter::Start;
    const Named model({{"embedding.weight", {{3, 4}, Start::zeros}},
                       {"encoder.0.norm.gamma", {{4}, Start::zeros}},
                       {"decoder.0.self_attention.query.weight", {{4, 5}, Start::zeros}},
                       {"encoder.norm.beta", {{2}, Start::zeros}},
                       {"encoders.weight", {{100}, Start::zeros}}});
    CHECK(to_json(model_json(model).at("totals")) ==
          "{\"embeddings\":112,\"encoder\":6,\"decoder\":20,\"all\":138}");
  }
}
