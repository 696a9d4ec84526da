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

// The mean loss of fresh models, V = 29 and d_model = 128, on random tokens, without smoothing.
double first_loss(Index layers, bool tied) {
  constexpr int V = 29, seeds = 10;
  TransformerConfig config = small_config();
  config.layers = layers;
  config.d_model = 128;
  config.d_ff = 512;
  config.heads = 4;
  config.d_k = config.d_v = 32;
  config.source_vocabulary = config.target_vocabulary = V;
  config.tie_embeddings = tied;
  config.label_smoothing = 0;
  double mean = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    Transformer model(config);
    initialise_parameters(model, seed);
    const RandomStream random{seed, 5};
    std::uint64_t drawn = 0;
    Batch batch;
    for (int b = 0; b < 8; ++b) {
      std::vector<int> source, target = {1};
      for (int t = 0; t < 12; ++t) {
        source.push_back(static_cast<int>(3 + random.below(drawn++, V - 3)));
        target.push_back(static_cast<int>(3 + random.below(drawn++, V - 3)));
      }
      batch.append(source, target);
    }
    mean += model.loss(batch).mean_loss() / seeds;
  }
  return mean;
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

  TEST_CASE("the first loss of a fresh model is not ln V: about ½ more untied, and more yet tied") {
    // Untied logits are like V normal numbers: E ln Σ eˣ ≈ ln V + ½. Tied ones favour the token
    // just read, which says nothing about the next one here: the fewer the layers, the more, and
    // the more the smaller what a fresh sub-layer adds to it (about 1½ since W^V starts √2
    // smaller).
    const double ln_V = std::log(29.0);
    const double untied = first_loss(2, false), tied = first_loss(2, true);
    CHECK(untied > ln_V + 0.35);
    CHECK(untied < ln_V + 0.65);
    CHECK(tied > untied + 0.1);
    CHECK(tied < ln_V + 2);
    CHECK(first_loss(1, true) > tied + 0.5);
  }
}
