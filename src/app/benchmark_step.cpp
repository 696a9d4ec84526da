// attention benchmark step: whole training steps, and where their time goes.
#include "app/benchmark.h"
#include "app/train_options.h"
#include "model/transformer.h"

namespace attn::app {

namespace {

constexpr double kSeconds = 10, kBriefSeconds = 3;  // of steps, unless --steps says how many

int run_step(const Arguments& arguments) {
  const Config config = benchmark_config(arguments);
  const BatchSource batches = benchmark_batches(arguments, config);
  const Index steps = arguments.number_or("steps", 0, 1, 1000000);
  const Patience patience = patience_of(arguments);
  const bool brief = arguments.has("brief");
  use_threads(arguments);

  Transformer model(config);
  initialise_parameters(model, 1);
  Trainer trainer;
  // The steps come first: how much memory they take could not be told after the rest.
  const StepTimes times =
      measure_steps(model, trainer, batches, steps, brief ? kBriefSeconds : kSeconds, show_doing);
  const Machine machine = measure_machine(show_doing, brief);
  print_part(arguments, to_text(machine) + '\n' + to_text(times));

  Json result = Json::object({{"machine", to_json(machine)}, {"step", to_json(times)}});
  if (!brief) {
    const LayerTimes layers = measure_layers(model, trainer, batches(0), patience, show_doing);
    print_part(arguments, '\n' + step_shares(layers));
    result.add("layers", to_json(layers.layers));
    result.add("seconds_of_a_step_between_layers", layers.step);
  }
  print_json(arguments, result);
  return 0;
}

}  // namespace

Benchmark step_benchmark() {
  return {
      "step",
      "[--preset NAME] [--lengths F] [--steps N] [--brief]",
      "step: whole training steps as `train text` takes them, dropout and Adam included, with "
      "fresh "
      "weights and random tokens. The operations of a step are counted from the shapes: 2 m n k "
      "for "
      "each matrix product, including attention's (masked scores are computed and counted), and "
      "twice as many backward as forward; embedding lookups, softmax, norms and Adam count as "
      "nothing. The operations divided by the time, as a share of the peak, are known as model "
      "FLOPs utilisation. Then further steps, with the time of each kind of layer, measured as "
      "`layers` does, as a share of the step.",
      {benchmark_model_options(),
       benchmark_batch_options(),
       {"Steps (step)",
        {{"lengths", "F",
          "lengths of real sentences: a line for each pair, with the number of source and of "
          "target "
          "tokens; batches take the pairs in order"},
         {"steps", "N", "how many steps to measure, after one that is not", "about 10 s of them"},
         {"brief", "", "about 3 s of steps; without memory's bandwidth and the layers"}}}},
      run_step};
}

}  // namespace attn::app
