// A share of the peak is a ratio of neighbours: each step is compared with the peak sampled before
// and after it.
#include "lab/benchmark/steps.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "base/random.h"
#include "lab/benchmark/cost.h"
#include "lab/benchmark/machine.h"
#include "lab/benchmark/products.h"
#include "lab/benchmark/stopwatch.h"
#include "lab/benchmark/system.h"
#include "layers/softmax.h"

namespace attn {

namespace {

double peak_now() {
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(peak_sample());
  return median(samples);
}

double bytes_of_step(const std::vector<LayerKind>& kinds) {
  double sum = 0;
  for (const LayerKind& kind : kinds) {
    const PassCost &forward = kind.cost.forward, &backward = kind.cost.backward;
    if (!kind.softmax_of) sum += static_cast<double>(kind.count) * (forward.bytes + backward.bytes);
  }
  return sum;
}

// One pass of one layer, from the seconds that all `count` took in each step.
Speed one_of(Index count, const PassCost& cost, const std::vector<double>& seconds,
             const std::vector<Limits>& limits) {
  if (median(seconds) == 0) return {};  // there is no such pass
  const double n = static_cast<double>(count);
  Speed speed = speed_of_runs(n * cost.operations, n * cost.bytes, seconds, limits);
  speed.seconds /= n;
  return speed;
}

// Attention's softmax in all layers, heads and sentences of a step, on matrices of its shapes.
std::pair<Speed, Speed> measure_softmax(const LayerKind& kind, const Patience& patience) {
  const AttentionShape& attention = *kind.softmax_of;
  const Offsets &x = attention.x, &memory = attention.memory;
  const RandomStream random{1, 0};
  std::vector<Tensor> P, dP;
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    Tensor scores = Tensor::uninitialised({x[b + 1] - x[b], memory[b + 1] - memory[b]});
    for (Index i = 0; i < scores.elements(); ++i) {
      scores[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
    }
    P.insert(P.end(), static_cast<std::size_t>(attention.heads), scores);
  }
  dP = P;
  const auto measured = [&](const PassCost& cost, const auto& body) {
    const auto all_layers = [&] {
      for (Index layer = 0; layer < kind.count; ++layer) {
        parallel_for(static_cast<Index>(P.size()),
                     [&](Index task) { body(static_cast<std::size_t>(task)); });
      }
    };
    const double n = static_cast<double>(kind.count);
    Speed speed = speed_of(all_layers, 0, n * cost.bytes, patience);
    speed.seconds /= n;
    return speed;
  };
  const Speed forward =
      measured(kind.cost.forward, [&](std::size_t i) { softmax(P[i], 1, attention.mask); });
  // This scale keeps gradients from vanishing when they are passed through again and again.
  const Speed backward = measured(kind.cost.backward, [&](std::size_t i) {
    softmax_backward(P[i], static_cast<Real>(P[i].cols()), attention.mask, dP[i]);
  });
  return {forward, backward};
}

// Null if nothing is counted.
Json speed_json(const Speed& speed) {
  if (speed.share == 0) return {};
  return Json::object({{"gflops", speed.rate / 1e9},
                       {"gbytes_per_second", speed.bandwidth / 1e9},
                       {"limit", speed.bound_by_memory ? "memory" : "fma"},
                       {"share", speed.share}});
}

// Seconds, step by step: of whole steps, of the rest outside all layers, and of all layers of each
// kind. Limits are sampled before the first step and after each.
struct WatchedSteps {
  std::vector<double> steps, rest;
  std::map<std::string, std::vector<double>> forward, backward;
  std::vector<Limits> limits;
};

WatchedSteps watch_steps(SequenceModel& model, Trainer& trainer, const Batch& batch,
                         const std::vector<LayerKind>& kinds, const Patience& patience,
                         const Announce& announce) {
  const BatchSource batches = [&](std::uint64_t) { return batch; };
  announce("the first step");
  trainer.take_step(model, batches);
  Stopwatch watch;
  Watcher watcher;
  watcher.begin = [&](const Pass& part) { watch.begin(part.name(), part.is_backward()); };
  watcher.end = [&](const Pass&) { watch.end(); };

  // What a layer reads and writes is among all that a step does, so the bandwidth is that of arrays
  // of this size.
  WatchedSteps watched;
  MemoryStream stream(bytes_of_step(kinds));
  const auto sample_limits = [&] { watched.limits.push_back({peak_sample(), stream.sample()}); };
  const double begin = now(), enough = static_cast<double>(kinds.size()) * patience.total_seconds;
  sample_limits();
  while (static_cast<int>(watched.steps.size()) < patience.runs || now() - begin < enough) {
    announce(text("watching step ", watched.steps.size() + 1));
    watch.start();
    trainer.take_step(model, batches, &watcher);
    watched.steps.push_back(watch.stop());
    sample_limits();
    watched.rest.push_back(watch.seconds(Stopwatch::kRest, false));
    for (const LayerKind& kind : kinds) {
      watched.forward[kind.name].push_back(watch.seconds(kind.name, false));
      watched.backward[kind.name].push_back(watch.seconds(kind.name, true));
    }
  }
  return watched;
}

}  // namespace

Json measure_steps(SequenceModel& model, Trainer& trainer, const BatchSource& batches, Index steps,
                   double seconds, const Announce& announce) {
  // The first step takes memory from the system and wakes the threads, so it is not counted.
  announce("the first step");
  const double first = trainer.take_step(model, batches).seconds;
  trainer.next_batch = 0;
  if (steps == 0) {
    steps = static_cast<Index>(std::clamp(std::ceil(seconds / first), 3.0, 1000.0));
  }

  std::vector<double> times, tokens, flops, peaks, speeds, rates, shares;
  Json tokens_all = Json::array();
  double loss = 0;
  for (double before = peak_now(); trainer.step <= steps;) {
    announce(text("step ", trainer.step, " of ", steps));
    const Batch batch = batches(trainer.next_batch);
    const StepReport report = trainer.take_step(model, [&](std::uint64_t) { return batch; });
    const double after = peak_now();
    times.push_back(report.seconds);
    tokens_all.add(report.tokens);
    tokens.push_back(tokens_all.items().back().number());
    flops.push_back(operations(step_products(layer_kinds(model, batch))));
    peaks.push_back((before + after) / 2);
    speeds.push_back(tokens.back() / report.seconds);
    rates.push_back(flops.back() / report.seconds);
    shares.push_back(rates.back() / peaks.back());
    loss = report.sums.mean_loss();
    before = after;
  }
  announce("measuring matmul");
  const std::size_t memory = peak_memory();
  const double matmul_rate = matmul_1024_rate();
  const auto list = [](const std::vector<double>& values) {
    return Json::array({values.begin(), values.end()});
  };
  return Json::object({{"seconds", median(times)},
                       {"seconds_all", list(times)},
                       {"tokens", median(tokens)},
                       {"tokens_all", tokens_all},
                       {"tokens_per_second", median(speeds)},
                       {"flops", median(flops)},
                       {"flops_all", list(flops)},
                       {"gflops", median(rates) / 1e9},
                       {"peak_gflops_between_steps", median(peaks) / 1e9},
                       {"share_of_peak", median(shares)},
                       {"matmul_1024_gflops", matmul_rate / 1e9},
                       {"share_of_matmul", median(rates) / matmul_rate},
                       {"peak_memory_bytes", memory},
                       {"loss", loss}});
}

Json measure_layers(SequenceModel& model, Trainer& trainer, const Batch& batch,
                    const Patience& patience, const Announce& announce) {
  const std::vector<LayerKind> kinds = layer_kinds(model, batch);
  const WatchedSteps watched = watch_steps(model, trainer, batch, kinds, patience, announce);

  Json layers = Json::array();
  const auto add = [&](const LayerKind& kind, const Speed& forward, const Speed& backward) {
    layers.add(Json::object({{"name", kind.name},
                             {"count", kind.count},
                             {"part_of_the_layer_before", kind.softmax_of.has_value()},
                             {"forward_seconds", forward.seconds},
                             {"backward_seconds", backward.seconds},
                             {"forward", speed_json(forward)},
                             {"backward", speed_json(backward)}}));
  };
  for (const LayerKind& kind : kinds) {
    if (kind.softmax_of) {
      announce("measuring softmax");
      const auto [forward, backward] = measure_softmax(kind, patience);
      add(kind, forward, backward);
      continue;
    }
    add(kind, one_of(kind.count, kind.cost.forward, watched.forward.at(kind.name), watched.limits),
        one_of(kind.count, kind.cost.backward, watched.backward.at(kind.name), watched.limits));
  }
  add({Stopwatch::kRest, 1, {}}, one_of(1, {}, watched.rest, watched.limits), {});
  return Json::object(
      {{"layers", layers}, {"seconds_of_a_step_between_layers", median(watched.steps)}});
}

}  // namespace attn
