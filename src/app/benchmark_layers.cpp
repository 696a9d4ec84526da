// attention benchmark layers: forward and backward of each kind of layer.
#include "app/benchmark.h"
#include "app/train_options.h"
#include "model/transformer.h"

namespace attn::app {

namespace {

int run_layers(const Arguments& arguments) {
  const Config config = benchmark_config(arguments);
  const Batch batch = benchmark_batches(arguments, config)(0);
  const Patience patience = patience_of(arguments);
  use_threads(arguments);

  const Machine machine = measure_machine(show_doing);
  print_part(arguments, to_text(machine) + '\n');
  Transformer model(config);
  initialise_parameters(model, 1);
  Trainer trainer;
  const LayerTimes times = measure_layers(model, trainer, batch, patience, show_doing);
  print_part(arguments, to_text(times));
  print_json(arguments,
             Json::object({{"machine", to_json(machine)}, {"layers", to_json(times.layers)}}));
  return 0;
}

}  // namespace

Benchmark layers_benchmark() {
  return {"layers",
          "[--preset NAME]",
          "layers: the time of one layer of each kind, forward and backward, with as many tokens "
          "as the batch has; count is how many a training step has. A stopwatch inside whole steps "
          "takes it, dropout and Adam included. A layer's time leaves out the layers inside it, so "
          "count times time, over all rows, is about a whole step (each row is a median of its "
          "own). Only softmax, which runs inside the threads of attention, is measured by itself; "
          "it is part of the attention above it and not added. The limit is whichever takes "
          "longer: the layer's products at the peak, or its bytes at the bandwidth, which is "
          "measured between the steps on arrays as large as everything a step reads and writes; "
          "the speed shown is the one with that limit. Bytes: each tensor that a layer reads or "
          "writes, once. Output projection and loss: forward is the product that computes the "
          "logits; backward is softmax, loss and both products of the gradients.",
          {benchmark_model_options(), benchmark_batch_options()},
          run_layers};
}

}  // namespace attn::app
