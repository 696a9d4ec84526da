// attention benchmark layers and step: forward and backward of each kind of layer; whole training
// steps, and where their time goes.
#include "app/benchmark.h"
#include "app/train_options.h"
#include "model/transformer.h"

namespace attn::app {

static constexpr double kSeconds = 10, kBriefSeconds = 3;  // of steps, unless --steps says how many

int benchmark_layers(const Arguments& arguments) {
  const TransformerConfig config = benchmark_config(arguments);
  const Batch batch = benchmark_batches(arguments, config)(0);
  const Patience patience = patience_of(arguments);
  use_threads(arguments);

  const Machine machine = measure_machine(show_doing);
  print_part(arguments, machine_text(machine) + '\n');
  Transformer model(config);
  initialise_parameters(model, 1);
  Trainer trainer;
  const LayerTimes times = measure_layers(model, trainer, batch, patience, show_doing);
  print_part(arguments, layers_text(times));
  print_json(arguments, Json::object({{"machine", machine_json(machine)},
                                      {"layers", layers_json(times.layers)}}));
  return 0;
}

int benchmark_step(const Arguments& arguments) {
  const TransformerConfig config = benchmark_config(arguments);
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
  print_part(arguments, machine_text(machine) + '\n' + steps_text(times));

  Json result = Json::object({{"machine", machine_json(machine)}, {"step", steps_json(times)}});
  if (!brief) {
    const LayerTimes layers = measure_layers(model, trainer, batches(0), patience, show_doing);
    print_part(arguments, '\n' + layer_shares_text(layers));
    result.add("layers", layers_json(layers.layers));
    result.add("seconds_of_a_step_between_layers", layers.step);
  }
  print_json(arguments, result);
  return 0;
}

}  // namespace attn::app
