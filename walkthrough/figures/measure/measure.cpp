// measure-figures learning|attention|gradients
//
// Prints what some figures are drawn from, as a table. tests/peers/figures.py adds where and when,
// and writes data/measurements/.
//
//     learning   copy and reverse with the program's defaults: losses and mistakes over the steps
//     attention  where the heads of these trained models look
//     gradients  gradient norms of each layer before the first step, for post-norm and pre-norm
#include <cctype>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>

#include "app/defaults.h"
#include "model/transformer.h"
#include "tasks/task.h"
#include "training/data.h"
#include "training/trainer.h"

using namespace attn;

namespace {

TransformerConfig toy_config(const Task& task, const std::string& size) {
  TransformerConfig config = preset(size);
  for (const auto& [name, value] : defaults_of("copy").model) set(config, name, value);
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  return config;
}

// Trains a task to the end; its mean weights are left in the model.
Transformer trained(const Task& task, const TrainingEvents& events) {
  Transformer model(toy_config(task, defaults_of("copy").preset));
  Trainer trainer;
  trainer.settings = defaults_of("copy").training;
  trainer.settings.task = task.name;
  initialise_parameters(model, trainer.settings.seed);
  const TrainingData data = training_data(trainer.settings, kAnyLength, nullptr, {});
  train(model, trainer, data.batches, data.validation, events);
  exchange_mean(model, trainer);
  return model;
}

// The training loss, a mean over ten steps, and every 50 steps the validation's loss and the share
// of tokens that it gets wrong.
void measure_learning() {
  std::printf("task\tstep\tloss\tvalidation_loss\twrong\n");
  for (const char* const name : {"copy", "reverse"}) {
    LossSums sums, validated;
    Index step = 0;
    const auto print = [&] {
      if (step == 0 || step % 10 != 0) return;
      std::printf("%s\t%td\t%.5g\t", name, step, sums.mean_loss());
      if (validated.tokens > 0) {
        std::printf("%.5g\t%.4g\n", validated.mean_loss(), 1 - validated.accuracy());
      } else {
        std::printf("-\t-\n");
      }
      sums = validated = {};
    };
    TrainingEvents events;
    // A step is printed when the next one comes, since its validation comes after it.
    events.step = [&](const StepReport& report) {
      print();
      step = report.step;
      sums += report.sums;
    };
    events.validation = [&](Index, const Validation& found) { validated = found.sums; };
    trained(find_task(name), events);
    print();
  }
}

// The weights of the encoder–decoder attention, a row for each letter that is written.
void measure_attention() {
  const std::string word = "d u p l i c a t e s";
  for (const char* const name : {"copy", "reverse"}) {
    const Task task = find_task(name);
    const Transformer model = trained(task, {});
    const std::string answer = task.name == "copy" ? word : std::string(word.rbegin(), word.rend());
    Batch batch;
    batch.append(encode_source(task.tokenizer, word), encode_target(task.tokenizer, answer));
    if (task.name == "copy") {
      std::printf("task\tlayer\thead\twrites");
      for (const int id : batch.source.ids) {
        std::printf("\t%s", std::string(task.tokenizer.token(id)).c_str());
      }
      std::printf("\n");
    }
    Watcher watcher;
    watcher.value = [&](const SeenValue& seen) {
      int layer = 0, head = 0, end = 0;
      const std::string value = seen.full_name();
      std::sscanf(value.c_str(), "decoder.%d.cross_attention.heads.%d.P%n", &layer, &head, &end);
      if (end != static_cast<int>(value.size())) return;
      const ConstMatrixView& P = seen.numbers;  // [m, n]
      for (Index row = 0; row < P.rows; ++row) {
        const int written = batch.target_output[static_cast<std::size_t>(row)];
        std::printf("%s\t%d\t%d\t%s", name, layer + 1, head + 1,
                    std::string(task.tokenizer.token(written)).c_str());
        for (Index col = 0; col < P.cols; ++col) {
          std::printf("\t%.4f", static_cast<double>(P(row, col)));
        }
        std::printf("\n");
      }
    };
    model.loss(batch, Pass(watcher));
  }
}

// ‖gradient‖ over all parameters of a layer ("encoder.3"), of fresh models of 12 + 12 layers, for
// one batch of copy: the root of the mean square over ten seeds.
void measure_gradients() {
  constexpr int kSeeds = 10;
  const Task task = find_task("copy");
  std::printf("norm\tstack\tlayer\tgradient\n");
  for (const bool pre : {false, true}) {
    std::map<std::string, std::map<int, double>> sums;
    for (int seed = 1; seed <= kSeeds; ++seed) {
      TransformerConfig config = toy_config(task, "small");
      config.layers = 12;
      config.norm = pre ? NormPlacement::pre : NormPlacement::post;
      Transformer model(config);
      initialise_parameters(model, static_cast<std::uint64_t>(seed));
      zero_gradients(model);
      const Batch batch = task_batch(task, static_cast<std::uint64_t>(seed), 0, 512);
      model.loss_and_gradients(
          batch, DropoutMasks(),
          static_cast<Real>(1.0 / static_cast<double>(batch.target_output.size())));
      model.visit_parameters([&](const std::string& name, Parameter& p) {
        const std::size_t dot = name.find('.');
        const std::string stack = name.substr(0, dot);
        if ((stack != "encoder" && stack != "decoder") || !std::isdigit(name[dot + 1])) return;
        sums[stack][std::stoi(name.substr(dot + 1)) + 1] += sum_of_squares(p.gradient) / kSeeds;
      });
    }
    for (const char* const stack : {"encoder", "decoder"}) {
      for (const auto& [layer, sum] : sums[stack]) {
        std::printf("%s\t%s\t%d\t%.5g\n", pre ? "pre" : "post", stack, layer, std::sqrt(sum));
      }
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, void (*)()> tables{{"learning", measure_learning},
                                                 {"attention", measure_attention},
                                                 {"gradients", measure_gradients}};
  if (argc != 2 || tables.count(argv[1]) == 0) {
    std::fprintf(stderr, "usage: measure-figures learning|attention|gradients\n");
    return 2;
  }
  tables.at(argv[1])();
  return 0;
}
