#include "lab/figures/model_summary.h"

#include <doctest/doctest.h>

#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("parameters") {
  TEST_CASE("every parameter is listed with its shape, and the parts add up to all") {
    for (const SmallModel& small : small_models()) {
      CAPTURE(small.name);
      Transformer model(small.config);
      const std::vector<ParameterShape> shapes = parameter_shapes(model);
      std::size_t next = 0;
      model.visit_parameters([&](const std::string& name, Parameter& parameter) {
        REQUIRE(next < shapes.size());
        CHECK(shapes[next].name == name);
        CHECK(shapes[next].shape == parameter.value.shape());
        ++next;
      });
      CHECK(next == shapes.size());

      const std::vector<PartCount> counts = count_by_part(shapes);
      REQUIRE(counts.size() == 4);
      CHECK(counts[3].part == "all");
      CHECK(counts[3].count == parameter_count(small.config));
      CHECK(counts[0].count + counts[1].count + counts[2].count == counts[3].count);
    }
  }

  TEST_CASE("a parameter belongs to the stack that its name begins with, or to the embeddings") {
    const auto counts = count_by_part({{"embedding.weight", {3, 4}},
                                       {"encoder.0.norm.gamma", {4}},
                                       {"decoder.0.self_attention.query.weight", {4, 5}},
                                       {"encoder.norm.beta", {2}},
                                       {"encoders.weight", {100}}});
    CHECK(counts[0].part == "embeddings");
    CHECK(counts[0].count == 112);
    CHECK(counts[1].part == "encoder");
    CHECK(counts[1].count == 6);
    CHECK(counts[2].part == "decoder");
    CHECK(counts[2].count == 20);
    CHECK(counts[3].count == 138);
  }
}
