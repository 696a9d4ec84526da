// The numbers of chapter 3.1: layer normalisation of one token, forward and backward, through the
// library's own layer; and what fresh models do to tokens and gradients.
//
//     example-3.1 values      prints the numbers of [1, 0, 0, 0] as KEY = VALUE, counted from 1
//     example-3.1 collapse    prints how alike the tokens are after each layer of a fresh encoder
//     example-3.1 paths       prints by what each sub-layer of fresh models multiplies a gradient
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "examples/variation.h"
#include "layers/layer_norm.h"
#include "model/transformer.h"
#include "support/random_tensors.h"
#include "tasks/task.h"
#include "text/lines.h"
#include "trace/table.h"

using namespace attn;

namespace {

void print_values(const char* key, const Tensor& x) {
  for (Index j = 0; j < x.elements(); ++j) {
    std::printf("%s.%td = %.7g\n", key, j + 1, static_cast<double>(x[j]));
  }
}

// [1, 0, 0, 0], and the gradient (0, 1, 0, 0) sent back through its norm.
void print_one_token() {
  LayerNorm norm(4);
  norm.gamma.gradient = norm.beta.gradient = Tensor::zeros({4});
  const Pass pass{DropoutMasks()};
  LayerNorm::Cache cache;
  const Tensor y = norm.forward(test::tensor_of({1, 4}, {1, 0, 0, 0}), pass, cache);
  const Tensor dx = norm.backward(test::tensor_of({1, 4}, {0, 1, 0, 0}), cache);
  print_values("inv_std", cache.inv_std);
  print_values("x_hat", cache.x_hat);
  print_values("y", y);
  print_values("dgamma", norm.gamma.gradient);
  print_values("dx", dx);
}

// C/D: the squares that the tokens of a sentence have in common, over those that differ, in fresh
// models that read sequences of copy. Ten seeds; g multiplies Glorot's start of W^V.
void print_collapse() {
  constexpr int kSeeds = 10;
  struct Kind {
    const char* name;
    NormPlacement norm;
    double g;
  };
  const double joint = 1 / std::sqrt(2.0);  // as the library draws it
  const Task task = find_task("copy");
  TransformerConfig config = preset("tiny");
  config.layers = 6;
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  std::printf("layer                e      1      2      3      4      5      6\n");
  for (const Kind& kind : {Kind{"post, g = 1   ", NormPlacement::post, 1},
                           Kind{"post, g = 1/√2", NormPlacement::post, joint},
                           Kind{"pre,  g = 1/√2", NormPlacement::pre, joint}}) {
    config.norm = kind.norm;
    std::vector<double> means(static_cast<std::size_t>(config.layers) + 1);
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      Transformer model(config);
      initialise_parameters(model, seed);
      for (EncoderLayer& layer : model.encoder) {
        Tensor& W = layer.self_attention.value.weight.value;
        for (Index i = 0; i < W.elements(); ++i) W[i] *= static_cast<Real>(kind.g / joint);
      }
      const Batch batch = task_batch(task, seed, 0, 128);
      std::size_t layer = 0;
      const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
        if (!fits("e|encoder.*.output", name)) return;
        means[layer++] += walkthrough::token_variation(value, batch.source.offsets) / kSeeds;
      };
      model.loss(batch, Pass(observer));
    }
    std::printf("%s", kind.name);
    for (const double mean : means) std::printf("  %5.2f", (1 - mean) / mean);
    std::printf("\n");
  }
}

// By what each sub-layer multiplies the norm of the gradient on its way down, in fresh post-norm
// models of 12 + 12 layers that read copy, without dropout: the geometric mean over layers and ten
// seeds. "around": the norm's backward pass alone, which is all that the residual path meets.
void print_paths() {
  constexpr int kSeeds = 10;
  const Task task = find_task("copy");
  TransformerConfig config = preset("tiny");
  config.layers = 12;
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  struct Logs {
    double around = 0, both = 0;
    int count = 0;
  };
  std::map<std::string, Logs> sub_layers;  // "encoder self_attention"
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    Transformer model(config);
    initialise_parameters(model, seed);
    zero_gradients(model);
    // The gradient of what a sub-layer's Add & Norm computes goes on as dsum; the next one that is
    // shown has both paths.
    std::string above;
    double dy = 0;
    const Observer observer = [&](const std::string& name, const ConstMatrixView& value) {
      const double norm = std::sqrt(sum_of_squares(copy_of(value)));
      if (fits("dsum", name)) {
        const std::vector<std::string> parts = split(name, '.');
        above = parts[0] + " " + parts[2].substr(0, parts[2].find("_norm"));
        sub_layers[above].around += std::log(norm / dy);
      } else if (fits("encoder.*.doutput|decoder.*.doutput|dattended|dinformed|dg|de", name)) {
        if (!above.empty()) {
          sub_layers[above].both += std::log(norm / dy);
          ++sub_layers[above].count;
        }
        above.clear();
        dy = norm;
      }
    };
    const Batch batch = task_batch(task, seed, 0, 128);
    model.loss_and_gradients(
        batch, Pass(DropoutMasks(), &observer),
        static_cast<Real>(1.0 / static_cast<double>(batch.target_output.size())));
  }
  std::printf("%-24s  around  both paths\n", "");
  for (const std::string name :
       {"encoder self_attention", "encoder feed_forward", "decoder self_attention",
        "decoder cross_attention", "decoder feed_forward"}) {
    const Logs& logs = sub_layers.at(name);
    std::printf("%-24s  %6.2f  %10.2f\n", name.c_str(), std::exp(logs.around / logs.count),
                std::exp(logs.both / logs.count));
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> all = {
      {"values", print_one_token}, {"collapse", print_collapse}, {"paths", print_paths}};
  for (int i = 1; i < argc; ++i) {
    if (all.count(argv[i]) == 0) {
      std::fprintf(stderr, "example-3.1: there is no '%s'\n", argv[i]);
      return 2;
    }
    all.at(argv[i])();
  }
  return 0;
}
