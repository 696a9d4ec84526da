// The numbers of chapter 3.4 that the running example is too small for: how large embeddings,
// logits and the first loss are at first.
//
//     example-3.4               prints them as NAME = VALUE
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>

#include "base/random.h"
#include "model/transformer.h"
#include "tasks/task.h"

using namespace attn;

namespace {

double deviation(const Tensor& x) {
  return std::sqrt(sum_of_squares(x) / static_cast<double>(x.elements()));
}

// E [V, d_model] as a fresh model has it: N(0, 1/d_model).
Embedding fresh(Index V, Index d_model) {
  Embedding embedding(V, d_model);
  embedding.visit("embedding",
                  [](const std::string& name, Parameter& p) { initialise(name, p, 1); });
  return embedding;
}

void print_scales() {
  constexpr Index V = 1000, d = 512, T = 100;
  const Embedding embedding = fresh(V, d);
  std::vector<int> ids(V);
  std::iota(ids.begin(), ids.end(), 0);
  Tensor h = Tensor::uninitialised({T, d});  // rows of mean 0 and variance 1
  const RandomStream random{2, 3};
  for (Index i = 0; i < h.elements(); ++i) {
    h[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
  }
  Tensor logits = Tensor::uninitialised({T, V});
  matmul(h, transposed(embedding.weight.value), logits);
  std::printf("E = %.7g\n", deviation(embedding.weight.value));
  std::printf("e = %.7g\n", deviation(embedding.forward(ids)));
  std::printf("logits = %.7g\n", deviation(logits));
  std::printf("logits_of_unit_E = %.7g\n", std::sqrt(static_cast<double>(d)) * deviation(logits));
}

// What fresh models make of a training batch of copy, before the first step: 2 layers, d_model 64,
// no smoothing. Means over ten seeds.
struct Start {
  double loss = 0;
  double repeats = 0;  // share of steps at which the token just read has the largest logit
};

// E is multiplied by `scale` first.
Start fresh(bool tied, double scale) {
  constexpr std::uint64_t kSeeds = 10;
  const Task task = find_task("copy");
  TransformerConfig config = preset("tiny");
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  config.tie_embeddings = tied;
  config.label_smoothing = 0;
  Start mean;
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Transformer model(config);
    initialise_parameters(model, seed);
    Tensor& E = model.source_embedding.weight.value;
    for (Index i = 0; i < E.elements(); ++i) E[i] *= static_cast<Real>(scale);
    const Batch batch = task_batch(task, seed, 0, 250);
    mean.loss += model.loss(batch).mean_loss() / static_cast<double>(kSeeds);

    const Tensor logits = model.logits(batch);  // [T, V]
    const double share = 1 / (static_cast<double>(kSeeds) * static_cast<double>(logits.rows()));
    for (Index t = 0; t < logits.rows(); ++t) {
      const Real* row = logits.row(t);
      const auto largest = std::max_element(row, row + logits.cols()) - row;
      if (largest == batch.target_input.ids[t]) mean.repeats += share;
    }
  }
  return mean;
}

}  // namespace

int main() {
  print_scales();
  std::printf("ln_V = %.7g\n", std::log(29.0));
  const Start untied = fresh(false, 1), tied = fresh(true, 1);
  std::printf("first_loss_untied = %.7g\n", untied.loss);
  std::printf("first_loss_tied = %.7g\n", tied.loss);
  std::printf("repeats_untied = %.4g %%\n", 100 * untied.repeats);
  std::printf("repeats_tied = %.4g %%\n", 100 * tied.repeats);
  std::printf("first_loss_of_unit_E = %.7g\n", fresh(true, 8).loss);
  return 0;
}
