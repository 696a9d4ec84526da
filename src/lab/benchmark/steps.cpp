#include "lab/benchmark/steps.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/check.h"
#include "base/clock.h"
#include "base/parallel.h"
#include "base/platform.h"
#include "base/random.h"
#include "lab/benchmark/cost.h"
#include "lab/benchmark/machine.h"
#include "lab/benchmark/products.h"
#include "lab/benchmark/stopwatch.h"
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
    if (!kind.part) sum += static_cast<double>(kind.count) * (forward.bytes + backward.bytes);
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
LayerTime measure_softmax(const LayerKind& kind, Index heads, const Offsets& x,
                          const Offsets& memory, Mask mask, const Patience& patience) {
  const RandomStream random{1, 0};
  std::vector<Tensor> P, dP;
  for (std::size_t b = 0; b + 1 < x.size(); ++b) {
    Tensor scores = Tensor::uninitialised({x[b + 1] - x[b], memory[b + 1] - memory[b]});
    for (Index i = 0; i < scores.elements(); ++i) {
      scores[i] = static_cast<Real>(random.normal(static_cast<std::uint64_t>(i)));
    }
    P.insert(P.end(), static_cast<std::size_t>(heads), scores);
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
  LayerTime time{kind.name, kind.count, true, {}, {}};
  time.forward = measured(kind.cost.forward, [&](std::size_t i) { softmax(P[i], 1, mask); });
  // At this scale, gradients that pass again and again do not fade away.
  time.backward = measured(kind.cost.backward, [&](std::size_t i) {
    softmax_backward(P[i], static_cast<Real>(P[i].cols()), mask, dP[i]);
  });
  return time;
}

}  // namespace

StepTimes measure_steps(Transformer& model, Trainer& trainer, const BatchSource& batches,
                        Index steps, double seconds, const Announce& announce) {
  // The first step takes memory from the system and wakes the threads, so it is not counted.
  announce("the first step");
  const double first = trainer.take_step(model, batches).seconds;
  trainer.next_batch = 0;
  if (steps == 0) {
    steps = static_cast<Index>(std::clamp(std::ceil(seconds / first), 3.0, 1000.0));
  }

  StepTimes times;
  for (double before = peak_now(); trainer.step <= steps;) {
    announce(text("step ", trainer.step, " of ", steps));
    const Batch batch = batches(trainer.next_batch);
    const StepReport report = trainer.take_step(model, [&](std::uint64_t) { return batch; });
    const double after = peak_now();
    times.steps.push_back({report.seconds,
                           static_cast<double>(report.source_tokens + report.sums.tokens),
                           operations(step_products(model.config(), batch.source.offsets,
                                                    batch.target_input.offsets)),
                           (before + after) / 2});
    times.loss = report.sums.mean_loss();
    before = after;
  }
  times.memory = platform::peak_memory();
  announce("measuring matmul");
  times.matmul_rate = matmul_1024_rate();
  return times;
}

LayerTimes measure_layers(Transformer& model, Trainer& trainer, const Batch& batch,
                          const Patience& patience, const Announce& announce) {
  const TransformerConfig& config = model.config();
  const Offsets &source = batch.source.offsets, &target = batch.target_input.offsets;
  const std::vector<LayerKind> kinds = layer_kinds(config, source, target);
  const BatchSource batches = [&](std::uint64_t) { return batch; };

  // Whole steps with the stopwatch. The limits are sampled between them: what a layer reads and
  // writes is among all that a step does, so the bandwidth is that of arrays of this size.
  announce("the first step");
  trainer.take_step(model, batches);
  Stopwatch watch;
  Watcher watcher;
  watcher.begin = [&](const Pass& part) { watch.begin(part.name(), part.is_backward()); };
  watcher.end = [&](const Pass&) { watch.end(); };
  MemoryStream stream(bytes_of_step(kinds));
  std::vector<Limits> limits;
  std::vector<double> steps, rest;
  std::map<std::string, std::vector<double>> forward, backward;
  const auto sample_limits = [&] { limits.push_back({peak_sample(), stream.sample()}); };
  const double begin = now(), enough = static_cast<double>(kinds.size()) * patience.total_seconds;
  sample_limits();
  while (static_cast<int>(steps.size()) < patience.runs || now() - begin < enough) {
    announce(text("watching step ", steps.size() + 1));
    watch.start();
    trainer.take_step(model, batches, &watcher);
    steps.push_back(watch.stop());
    sample_limits();
    rest.push_back(watch.seconds(Stopwatch::kRest, false));
    for (const LayerKind& kind : kinds) {
      forward[kind.name].push_back(watch.seconds(kind.name, false));
      backward[kind.name].push_back(watch.seconds(kind.name, true));
    }
  }

  LayerTimes times;
  times.step = median(steps);
  // What the three kinds of attention read, in the order of their kinds.
  struct Attention {
    const Offsets &x, &memory;
    Mask mask;
  };
  const Attention attentions[] = {
      {source, source, Mask::none}, {target, target, Mask::causal}, {target, source, Mask::none}};
  std::size_t attention = 0;
  for (const LayerKind& kind : kinds) {
    if (kind.part) {
      announce("measuring softmax");
      const Attention& a = attentions[attention++];
      times.layers.push_back(measure_softmax(kind, config.heads, a.x, a.memory, a.mask, patience));
      continue;
    }
    times.layers.push_back({kind.name, kind.count, false,
                            one_of(kind.count, kind.cost.forward, forward[kind.name], limits),
                            one_of(kind.count, kind.cost.backward, backward[kind.name], limits)});
  }
  times.layers.push_back({Stopwatch::kRest, 1, false, one_of(1, {}, rest, limits), {}});
  return times;
}

}  // namespace attn
