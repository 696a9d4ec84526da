// measure-starts NAME=VALUE...
//
// Trains a Transformer on text from a chosen start, and prints its losses and how far the tokens of
// a sentence still differ after each layer of the encoder. tests/peers/starts.py runs it for many
// starts, and writes data/measurements/starts.tsv.
//
//     source, target, valid_source, valid_target   files of tokens with spaces between them
//     qk, v       the factors on Glorot's bounds of W^Q and W^K, and of W^V
//     every       steps between two rows
//
// and the settings of a model (layers, norm, …) and of training (seed, steps, …) by their names.
#include <cstdio>
#include <exception>
#include <map>
#include <string>

#include "base/format.h"
#include "base/parallel.h"
#include "base/printing.h"
#include "model/transformer.h"
#include "trace/rank_collapse.h"
#include "training/data.h"

using namespace attn;

namespace {

// Fresh weights; then those of attention multiplied by their factors.
void start(Transformer& model, std::uint64_t seed, double qk, double v) {
  initialise_parameters(model, seed);
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    const bool of_scores = ends_with(name, ".query.weight") || ends_with(name, ".key.weight");
    if (!of_scores && !ends_with(name, ".value.weight")) return;
    const Real factor = static_cast<Real>((of_scores ? qk : v) / p.scale);
    for (Index i = 0; i < p.value.elements(); ++i) p.value[i] *= factor;
  });
}

// Of the validation's first batch, with spaces between them.
std::string variations(const Transformer& model, const Batch& batch) {
  std::string result;
  for (const double variation : encoder_variations(model, batch)) {
    result += (result.empty() ? "" : " ") + fixed(variation, 4);
  }
  return result;
}

void run(std::map<std::string, std::string> options) {
  const auto take = [&](const std::string& name, const std::string& otherwise) {
    const auto at = options.find(name);
    const std::string value = at == options.end() ? otherwise : at->second;
    if (at != options.end()) options.erase(at);
    return value;
  };
  const double qk = std::stod(take("qk", "1")), v = std::stod(take("v", "1"));
  const Index every = std::stol(take("every", "50"));
  TransformerConfig config = preset("tiny");
  Trainer trainer;
  TrainingSettings& settings = trainer.settings;
  settings.task = "text";
  const Settings of_training = to_settings(settings);
  for (const auto& [name, value] : options) {
    if (of_training.count(name) > 0) {
      set(settings, name, value);
    } else {
      set(config, name, value);
    }
  }
  const TrainingData data =
      training_data(settings, kAnyLength, nullptr, {Units::byte_pairs, 100000});
  config.source_vocabulary = config.target_vocabulary = data.tokenizer.size();
  Transformer model(config);
  start(model, settings.seed, qk, v);

  LossSums sums;
  const auto print = [&](Index step) {
    std::printf("%td\t%s\t%.4f\t%s\n", step,
                sums.tokens > 0 ? fixed(sums.mean_loss(), 4).c_str() : "-",
                evaluate(model, data.validation.batches).perplexity(),
                variations(model, data.validation.batches.front()).c_str());
    std::fflush(stdout);
    sums = {};
  };
  print(0);
  while (trainer.step < settings.steps) {
    sums += trainer.take_step(model, data.batches).sums;
    if (trainer.step % every == 0) print(trainer.step);
  }
}

}  // namespace

int main(int argc, char** argv) try {
  set_threads(1);
  std::map<std::string, std::string> options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos) fail("expected NAME=VALUE, not ", argument);
    options[argument.substr(0, equals)] = argument.substr(equals + 1);
  }
  run(options);
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "measure-starts: %s\n", error.what());
  return 1;
}
