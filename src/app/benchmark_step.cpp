// attention benchmark step: whole training steps, and where their time goes.
#include <algorithm>
#include <cmath>

#include "app/benchmark.h"
#include "app/benchmark_ladder.h"
#include "app/benchmark_layers.h"
#include "app/benchmark_model.h"
#include "app/benchmark_products.h"
#include "app/console.h"
#include "app/train_options.h"
#include "base/parallel.h"
#include "base/platform.h"
#include "training/trainer.h"

namespace attn::app {

namespace {

constexpr double kSeconds = 10, kBriefSeconds = 3;  // of steps, unless --steps says how many

// One measured step.
struct StepTime {
  double seconds;
  Index tokens;       // source and target
  double operations;  // of its products
  double peak;        // operations a second beside it
};

struct StepTimes {
  std::vector<StepTime> steps;
  double matmul_rate = 0;  // of matmul at 1024³, the best of before and after
  double loss = 0;         // of the last step
  std::size_t memory = 0;  // the most that the process held, in bytes

  // The median, over the steps, of something that they have.
  template <class Value>
  double middle(Value value) const {
    std::vector<double> values;
    for (const StepTime& step : steps) values.push_back(static_cast<double>(value(step)));
    return median(values);
  }
  double seconds() const {
    return middle([](const StepTime& s) { return s.seconds; });
  }
  double tokens_per_second() const {
    return middle([](const StepTime& s) { return static_cast<double>(s.tokens) / s.seconds; });
  }
  double rate() const {
    return middle([](const StepTime& s) { return s.operations / s.seconds; });
  }
  double share_of_peak() const {
    return middle([](const StepTime& s) { return s.operations / s.seconds / s.peak; });
  }
  double tokens() const {
    return middle([](const StepTime& s) { return s.tokens; });
  }
  double operations() const {
    return middle([](const StepTime& s) { return s.operations; });
  }
};

double peak_now() {
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(peak_sample(threads()));
  return median(samples);
}

StepTimes measure_steps(Transformer& model, Trainer& trainer, const BatchSource& batches,
                        Index steps, double seconds) {
  StepTimes times;
  show_doing("measuring matmul");
  times.matmul_rate = matmul_1024_rate();

  // The first step takes memory from the system and wakes the threads; it is not counted.
  show_doing("the first step");
  const double first = trainer.take_step(model, batches).seconds;
  if (steps == 0) {
    steps = static_cast<Index>(std::clamp(std::ceil(seconds / first), 3.0, 1000.0));
  }
  for (double before = peak_now(); trainer.step <= steps;) {
    show_doing(text("step ", trainer.step, " of ", steps));
    const Batch batch = batches(trainer.next_batch);
    const StepReport report = trainer.take_step(model, [&](std::uint64_t) { return batch; });
    const double after = peak_now();
    times.steps.push_back({report.seconds, report.source_tokens + report.sums.tokens,
                           operations(step_products(model.config(), batch)), (before + after) / 2});
    times.loss = report.sums.mean_loss();
    before = after;
  }
  times.memory = platform::peak_memory();
  show_doing("measuring matmul");
  times.matmul_rate = std::max(times.matmul_rate, matmul_1024_rate());
  return times;
}

Json to_json(const StepTimes& times) {
  Json seconds = Json::array(), tokens = Json::array();
  for (const StepTime& step : times.steps) {
    seconds.add(step.seconds);
    tokens.add(step.tokens);
  }
  return Json::object({{"seconds", times.seconds()},
                       {"seconds_all", seconds},
                       {"tokens", times.tokens()},
                       {"tokens_all", tokens},
                       {"tokens_per_second", times.tokens_per_second()},
                       {"flops", times.operations()},
                       {"gflops", times.rate() / 1e9},
                       {"share_of_peak", times.share_of_peak()},
                       {"matmul_1024_gflops", times.matmul_rate / 1e9},
                       {"share_of_matmul", times.rate() / times.matmul_rate},
                       {"peak_memory_bytes", times.memory},
                       {"loss", times.loss}});
}

std::string to_text(const StepTimes& times) {
  const double peak = times.middle([](const StepTime& s) { return s.peak; });
  std::vector<std::vector<std::string>> rows{
      {"a step", seconds_text(times.seconds()), text("median of ", times.steps.size())},
      {"tokens a second", grouped(std::llround(times.tokens_per_second())),
       text("source and target; ", grouped(std::llround(times.tokens())), " a step")},
      {"operations a step", fixed(times.operations() / 1e9, 2) + " G",
       "sum of 2 m n k over all matrix products"},
      {"model FLOP/s", giga(times.rate()) + " G", "operations a step / seconds a step"},
      {"share of the peak", share_text(times.share_of_peak()),
       "of " + giga(peak) + " G multiply-adds, measured between the steps"},
      {"share of matmul", share_text(times.rate() / times.matmul_rate),
       "of " + giga(times.matmul_rate) + " G, the best product of 1024 x 1024 x 1024"},
      {"peak memory", fixed(static_cast<double>(times.memory) / (1 << 20), 1) + " MiB",
       "resident, of the whole process"},
      {"loss", fixed(times.loss, 4), "of the last step, on random tokens"},
  };
  std::string result;
  std::vector<std::vector<std::string>> numbers;
  for (std::vector<std::string>& row : rows) {
    numbers.push_back({row[0], row[1]});
  }
  const std::string aligned = table(numbers);
  std::size_t begin = 0;
  for (const std::vector<std::string>& row : rows) {
    const std::size_t end = aligned.find('\n', begin);
    result += aligned.substr(begin, end - begin) + "   " + row[2] + '\n';
    begin = end + 1;
  }
  return result;
}

// Where the time of a step goes, by what its layers take when they run by themselves.
std::string shares_of_step(const std::vector<LayerTime>& layers, double step) {
  std::vector<std::vector<std::string>> rows{
      {"where the time goes", "count", "forward", "backward", "of the step"}};
  double rest = step;
  for (const LayerTime& layer : layers) {
    if (layer.part) continue;
    rest -= layer.seconds();
    rows.push_back({layer.name, text(layer.count), seconds_text(layer.forward.speed.seconds),
                    layer.backward.work.run ? seconds_text(layer.backward.speed.seconds) : "",
                    share_text(layer.seconds() / step)});
  }
  rows.push_back({"the rest", "", "", "", share_text(rest / step)});
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
    const std::vector<LayerTime> layers = measure_layers(model, trainer.adam, batches(0), patience);
    clear_doing();
    if (!json) put('\n' + shares_of_step(layers, times.seconds()));
    result.add("layers", to_json(layers));
  }
  if (json) put(attn::to_json(result) + '\n');
  return 0;
}

}  // namespace

Benchmark step_benchmark() {
  Benchmark benchmark;
  benchmark.name = "step";
  benchmark.usage = "[--preset NAME] [--lengths F] [--steps N] [--brief] [options]";
  benchmark.explanation =
      "step: whole training steps as `train` takes them, dropout and Adam included, with fresh "
      "weights and random tokens. The operations of a step are counted from the shapes: 2 m n k "
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
