// attention benchmark layers: forward and backward of each kind of layer.
#include "app/benchmark_layers.h"

#include <algorithm>

#include "app/benchmark.h"
#include "app/benchmark_model.h"
#include "app/console.h"
#include "app/train_options.h"

namespace attn::app {

namespace {

PassTime measure_pass(const Work& one, Index count, const Patience& patience) {
  if (!one.run) return {};
  const double layers = static_cast<double>(count);
  PassTime time{one, speed_of({one.run, layers * one.operations, layers * one.bytes}, patience)};
  time.speed.seconds /= layers;
  return time;
}

double bytes_per_second(const PassTime& time) {
  return time.work.bytes / time.speed.seconds;
}

// "148.3 GFLOP/s", or GB/s if that is what binds, and the share.
std::vector<std::string> speed_columns(const PassTime& time) {
  if (!time.work.run) return {"", "", ""};
  const bool memory = time.speed.bound_by_memory;
  return {
      short_time(time.speed.seconds),
      giga(memory ? bytes_per_second(time) : time.speed.rate) + (memory ? "   GB/s" : " GFLOP/s"),
      share_text(time.speed.share)};
}

std::string to_text(const std::vector<LayerTime>& layers) {
  std::vector<std::vector<std::string>> rows{
      {"layer", "count", "forward", "", "share", "backward", "", "share"}};
  for (const LayerTime& layer : layers) {
    rows.push_back({layer.name, text(layer.count)});
    for (const PassTime* time : {&layer.forward, &layer.backward}) {
      for (const std::string& column : speed_columns(*time)) rows.back().push_back(column);
    }
  }
  return table(rows);
}

Json speed_json(const PassTime& time) {
  if (!time.work.run) return Json();
  return Json::object({{"gflops", time.speed.rate / 1e9},
                       {"gbytes_per_second", bytes_per_second(time) / 1e9},
                       {"limit", time.speed.bound_by_memory ? "memory" : "fma"},
                       {"share", time.speed.share}});
}

int run_layers(const Arguments& arguments) {
  const Config config = benchmark_config(arguments);
  const std::vector<PairLengths> lengths = benchmark_lengths(arguments);
  const Batch batch = random_batch(config, lengths, benchmark_sentences(arguments), 0);
  const Patience patience = patience_of(arguments);
  const bool json = arguments.has("json");
  use_threads(arguments);

  const Machine machine = measure_machine();
  clear_doing();
  if (!json) put(to_text(machine) + '\n');
  flush_output();
  Transformer model(config);
  initialise_parameters(model, 1);
  zero_gradients(model);
  Adam adam;
  const std::vector<LayerTime> layers = measure_layers(model, adam, batch, patience);
  clear_doing();
  if (json) {
    put(attn::to_json(Json::object({{"machine", to_json(machine)}, {"layers", to_json(layers)}})) +
        '\n');
  } else {
    put(to_text(layers));
  }
  return 0;
}

}  // namespace

std::vector<LayerTime> measure_layers(Transformer& model, Adam& adam, const Batch& batch,
                                      const Patience& patience,
                                      const std::function<void()>& between) {
  std::vector<LayerTime> times;
  for (const std::function<LayerKind()>& make : layer_kinds(model, adam, batch)) {
    const LayerKind kind = make();
    show_doing("measuring " + kind.name);
    times.push_back({kind.name, kind.count, kind.part,
                     measure_pass(kind.forward, kind.count, patience),
                     measure_pass(kind.backward, kind.count, patience)});
    between();
  }
  return times;
}

Json to_json(const std::vector<LayerTime>& layers) {
  Json result = Json::array();
  for (const LayerTime& layer : layers) {
    const std::size_t first = layer.name.find_first_not_of(' ');
    result.add(Json::object({{"name", layer.name.substr(first)},
                             {"count", layer.count},
                             {"part_of_the_layer_before", layer.part},
                             {"forward_seconds", layer.forward.speed.seconds},
                             {"backward_seconds", layer.backward.speed.seconds},
                             {"forward", speed_json(layer.forward)},
                             {"backward", speed_json(layer.backward)}}));
  }
  return result;
}

Benchmark layers_benchmark() {
  Benchmark benchmark;
  benchmark.name = "layers";
  benchmark.usage = "[--preset NAME]";
  benchmark.explanation =
      "layers: the time of one layer of each kind, forward and backward, with as many tokens as "
      "the batch has; count is how many a training step has. The limit is whichever takes longer: "
      "the layer's products at the peak, or its bytes at the bandwidth measured on arrays of the "
      "same size; the speed that is shown is the one of that limit. Bytes: each tensor that a "
      "layer reads or writes, once. Output projection and loss: forward is the product that makes "
      "the logits, backward softmax, loss and both products of the gradients.";
  benchmark.groups = benchmark_model_options();
  benchmark.groups.push_back(patience_options());
  benchmark.groups.push_back(common_benchmark_options());
  benchmark.run = run_layers;
  return benchmark;
}

}  // namespace attn::app
