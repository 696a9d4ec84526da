// attention benchmark step: whole training steps, and where their time goes.
#include <algorithm>
#include <cmath>
#include <functional>

#include "app/benchmark.h"
#include "app/benchmark_ladder.h"
#include "app/benchmark_layers.h"
#include "app/benchmark_model.h"
#include "app/benchmark_products.h"
#include "app/console.h"
#include "app/train_options.h"
#include "base/platform.h"
#include "training/trainer.h"

namespace attn::app {

namespace {

constexpr double kSeconds = 10, kBriefSeconds = 3;  // of steps, unless --steps says how many

// One measured step.
struct StepTime {
  double seconds;
  double tokens;      // source and target
  double operations;  // of its products
  double peak;        // operations a second beside it

  double tokens_per_second() const { return tokens / seconds; }
  double rate() const { return operations / seconds; }
  double share() const { return rate() / peak; }
};

struct StepTimes {
  std::vector<StepTime> steps;
  double loss = 0;         // of the last step
  std::size_t memory = 0;  // the most that the process held, in bytes
  double matmul_rate = 0;  // of matmul at 1024³, right after the steps

  // The median, over the steps, of a member of theirs.
  template <class Member>
  double middle(Member member) const {
    std::vector<double> values;
    for (const StepTime& step : steps) values.push_back(std::invoke(member, step));
    return median(values);
  }
  double share_of_matmul() const { return middle(&StepTime::rate) / matmul_rate; }
};

double peak_now() {
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(peak_sample());
  return median(samples);
}

StepTimes measure_steps(Transformer& model, Trainer& trainer, const BatchSource& batches,
                        Index steps, double seconds) {
  // The first step takes memory from the system and wakes the threads; it is not counted.
  show_doing("the first step");
  const double first = trainer.take_step(model, batches).seconds;
  trainer.next_batch = 0;
  if (steps == 0) {
    steps = static_cast<Index>(std::clamp(std::ceil(seconds / first), 3.0, 1000.0));
  }

  StepTimes times;
  for (double before = peak_now(); trainer.step <= steps;) {
    show_doing(text("step ", trainer.step, " of ", steps));
    const Batch batch = batches(trainer.next_batch);
    const StepReport report = trainer.take_step(model, [&](std::uint64_t) { return batch; });
    const double after = peak_now();
    times.steps.push_back({report.seconds,
                           static_cast<double>(report.source_tokens + report.sums.tokens),
                           operations(step_products(model.config(), batch)), (before + after) / 2});
    times.loss = report.sums.mean_loss();
    before = after;
  }
  times.memory = platform::peak_memory();
  show_doing("measuring matmul");
  times.matmul_rate = matmul_1024_rate();
  return times;
}

// Layers and, between them, steps: the machine may not be as fast as it was a minute ago.
struct LayersBesideSteps {
  std::vector<LayerTime> layers;
  double step = 0;  // seconds
};

LayersBesideSteps measure_layers_beside_steps(Transformer& model, Trainer& trainer,
                                              const BatchSource& batches,
                                              const Patience& patience) {
  constexpr double kOftenSeconds = 3;
  std::vector<double> steps;
  double sum = 0;
  int kinds = 0;
  const Batch batch = batches(0);
  LayersBesideSteps result;
  result.layers = measure_layers(model, trainer.adam, batch, patience, [&] {
    // Long steps are not taken after every kind of layer, but after every fourth.
    if (sum > kOftenSeconds && ++kinds % 4 != 0) return;
    steps.push_back(trainer.take_step(model, [&](std::uint64_t) { return batch; }).seconds);
    sum += steps.back();
  });
  result.step = median(steps);
  return result;
}

Json to_json(const StepTimes& times) {
  Json seconds = Json::array(), tokens = Json::array(), flops = Json::array();
  for (const StepTime& step : times.steps) {
    seconds.add(step.seconds);
    tokens.add(static_cast<Index>(step.tokens));
    flops.add(step.operations);
  }
  return Json::object({{"seconds", times.middle(&StepTime::seconds)},
                       {"seconds_all", seconds},
                       {"tokens", times.middle(&StepTime::tokens)},
                       {"tokens_all", tokens},
                       {"tokens_per_second", times.middle(&StepTime::tokens_per_second)},
                       {"flops", times.middle(&StepTime::operations)},
                       {"flops_all", flops},
                       {"gflops", times.middle(&StepTime::rate) / 1e9},
                       {"peak_gflops_between_steps", times.middle(&StepTime::peak) / 1e9},
                       {"share_of_peak", times.middle(&StepTime::share)},
                       {"matmul_1024_gflops", times.matmul_rate / 1e9},
                       {"share_of_matmul", times.share_of_matmul()},
                       {"peak_memory_bytes", times.memory},
                       {"loss", times.loss}});
}

std::string to_text(const StepTimes& times) {
  const double peak = times.middle(&StepTime::peak);
  std::vector<std::vector<std::string>> rows{
      {"a step", short_time(times.middle(&StepTime::seconds)),
       text("median of ", times.steps.size())},
      {"tokens a second", grouped(std::llround(times.middle(&StepTime::tokens_per_second))),
       text("source and target; ", grouped(std::llround(times.middle(&StepTime::tokens))),
            " a step")},
      {"operations a step", fixed(times.middle(&StepTime::operations) / 1e9, 2) + " G",
       "sum of 2 m n k over all matrix products"},
      {"model FLOP/s", giga(times.middle(&StepTime::rate)) + " G",
       "operations a step / seconds a step"},
      {"share of the peak", share_text(times.middle(&StepTime::share)),
       "of " + giga(peak) + " G multiply-adds, measured between the steps"},
      {"share of matmul", share_text(times.share_of_matmul()),
       "of " + giga(times.matmul_rate) + " G, the best product of 1024 x 1024 x 1024"},
      {"peak memory", fixed(static_cast<double>(times.memory) / (1 << 20), 1) + " MiB",
       "resident, of the whole process"},
      {"loss", fixed(times.loss, 4), "of the last step, on random tokens"},
  };
  return table(rows, {0, 2});
}

// Where the time of a step goes, by what its layers take when they run by themselves.
std::string shares_of_step(const LayersBesideSteps& measured) {
  const double step = measured.step;
  std::vector<std::vector<std::string>> rows{
      {"where the time goes", "count", "forward", "backward", "of the step"}};
  double rest = step;
  for (const LayerTime& layer : measured.layers) {
    if (layer.part) continue;
    rest -= layer.seconds();
    rows.push_back({layer.name, text(layer.count), short_time(layer.forward.speed.seconds),
                    layer.backward.work.run ? short_time(layer.backward.speed.seconds) : "",
                    share_text(layer.seconds() / step)});
  }
  rows.push_back({"the rest", "", "", "", share_text(rest / step)});
  rows.push_back({"a step between them", "", "", "", short_time(step)});
  return table(rows);
}

int run_step(const Arguments& arguments) {
  const Config config = benchmark_config(arguments);
  const std::vector<PairLengths> lengths = benchmark_lengths(arguments);
  const Index sentences = benchmark_sentences(arguments);
  const Index steps = arguments.number_or("steps", 0, 1, 1000000);
  const Patience patience = patience_of(arguments);
  const bool brief = arguments.has("brief"), json = arguments.has("json");
  use_threads(arguments);

  Transformer model(config);
  initialise_parameters(model, 1);
  Trainer trainer;
  const BatchSource batches = [&](std::uint64_t index) {
    return random_batch(config, lengths, sentences, index);
  };
  // The steps come first: how much memory they take could not be told after the rest.
  const StepTimes times =
      measure_steps(model, trainer, batches, steps, brief ? kBriefSeconds : kSeconds);
  const Machine machine = measure_machine(brief);
  clear_doing();
  if (!json) put(to_text(machine) + '\n' + to_text(times));
  flush_output();

  Json result = Json::object({{"machine", to_json(machine)}, {"step", to_json(times)}});
  if (!brief) {
    const LayersBesideSteps measured =
        measure_layers_beside_steps(model, trainer, batches, patience);
    clear_doing();
    if (!json) put('\n' + shares_of_step(measured));
    result.add("layers", to_json(measured.layers));
    result.add("seconds_of_a_step_between_layers", measured.step);
  }
  if (json) put(attn::to_json(result) + '\n');
  return 0;
}

}  // namespace

Benchmark step_benchmark() {
  Benchmark benchmark;
  benchmark.name = "step";
  benchmark.usage = "[--preset NAME] [--lengths F] [--steps N] [--brief]";
  benchmark.explanation =
      "step: whole training steps as `train text` takes them, dropout and Adam included, with "
      "fresh weights and random tokens. The operations of a step are counted from the shapes: 2 m "
      "n k "
      "for each matrix product, attention's included (masked scores too, which are computed as "
      "well), and twice as many backward as forward; looking up embeddings, softmax, norms and "
      "Adam count nothing. Their number divided by the time, as a share of the peak, is known as "
      "model FLOPs utilisation. Then the time of each kind of layer, measured as `layers` does, "
      "as a share of the step.";
  benchmark.groups = benchmark_model_options();
  benchmark.groups.push_back(
      {"Steps (step)",
       {{"lengths", "F",
         "lengths of real sentences: a line for each pair, with the number of source and of target "
         "tokens; batches take the pairs in order"},
        {"steps", "N", "how many steps to measure, after one that is not", "about 10 s of them"},
        {"brief", "", "about 3 s of steps; without memory's bandwidth and the layers"}}});
  benchmark.groups.push_back(patience_options());
  benchmark.groups.push_back(common_benchmark_options());
  benchmark.run = run_step;
  return benchmark;
}

}  // namespace attn::app
