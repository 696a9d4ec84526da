// One matrix E, three jobs: source embedding, target embedding, output projection.
#include <doctest/doctest.h>

#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

// An untied model with the tied model's numbers: three copies of E, everything else alike.
Transformer untied_twin(Transformer& tied) {
  TransformerConfig config = tied.config();
  config.tie_embeddings = false;
  Transformer twin(config);
  std::vector<Tensor> values;
  tied.visit_parameters([&](const std::string& name, Parameter& p) {
    if (name != "embedding.weight") values.push_back(p.value);
  });
  std::size_t next = 0;
  const Tensor& E = tied.source_embedding.weight.value;
  twin.visit_parameters([&](const std::string& name, Parameter& p) {
    if (name == "source_embedding.weight" || name == "target_embedding.weight") {
      p.value = E;
    } else if (name == "projection.weight") {
      p.value = transposed_copy(E);
    } else {
      p.value = values.at(next++);
    }
  });
  zero_gradients(twin);
  return twin;
}

double norm(const Tensor& x) {
  return std::sqrt(sum_of_squares(x));
}

constexpr double kTolerance = sizeof(Real) == 8 ? 1e-13 : 1e-5;

}  // namespace

TEST_SUITE("3.4 embeddings and softmax") {
  TEST_CASE("the gradient of tied E is the sum of three paths, and none of them is missing") {
    for (const NormPlacement norm_placement : {NormPlacement::post, NormPlacement::pre}) {
      TransformerConfig config = with_dropout(small_config());
      config.norm = norm_placement;
      Transformer tied = random_model(config);
      Transformer twin = untied_twin(tied);
      const DropoutMasks masks(1, 1);
      tied.loss_and_gradients(small_batch(), masks, Real(0.1));
      twin.loss_and_gradients(small_batch(), masks, Real(0.1));
      const Tensor& source = twin.source_embedding.weight.gradient;
      const Tensor& target = twin.target_embedding.weight.gradient;
      const Tensor projection = transposed_copy(twin.projection.weight.gradient);
      const Tensor sum = sum_of(sum_of(source, target), projection);
      const Tensor& dE = tied.source_embedding.weight.gradient;
      CHECK(relative_error(dE, sum) <= kTolerance);
      for (const Tensor* path : {&source, &target, &projection})
        CHECK(norm(*path) > 0.05 * norm(sum));
    }
  }
}
