// The first step takes memory from the system and wakes the threads, so it is not counted.
#include "lab/benchmark/steps.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/clock.h"
#include "base/platform.h"
#include "lab/benchmark/ladder.h"
#include "lab/benchmark/stopwatch.h"

namespace attn {

namespace {

// Σ m n over the sentences: the scores of one head.
double pairs(const Offsets& queries, const Offsets& keys) {
  double sum = 0;
  for (std::size_t b = 0; b + 1 < queries.size(); ++b) {
    sum += to_double(queries[b + 1] - queries[b]) * to_double(keys[b + 1] - keys[b]);
  }
  return sum;
}

}  // namespace

double step_operations(const TransformerConfig& c, const Batch& batch) {
  const Offsets &source = batch.source.offsets, &target = batch.target_input.offsets;
  const double S = to_double(source.back()), T = to_double(target.back());
  const double d = to_double(c.d_model), heads = to_double(c.heads * (c.d_k + c.d_v));
  // Self-attention has four projections of each side's tokens, attention over the source two.
  const double projections = d * heads * (2 * (S + T) + S + T);
  const double attention =
      heads * (pairs(source, source) + pairs(target, target) + pairs(target, source));
  const double feed_forward = 2 * d * to_double(c.d_ff) * (S + T);
  const double output = T * d * to_double(c.target_vocabulary);
  const double forward =
      2 * (to_double(c.layers) * (projections + attention + feed_forward) + output);
  return 3 * forward;
}

Json measure_steps(Transformer& model, const Batch& batch, Index steps, double seconds,
                   const Announce& announce) {
  Trainer trainer;
  const BatchSource batches = [&](std::uint64_t) { return batch; };
  announce("the first step");
  const StepReport first = trainer.take_step(model, batches);
  if (steps == 0) {
    steps = static_cast<Index>(std::clamp(std::ceil(seconds / first.seconds), 3.0, 1000.0));
  }

  const double operations = step_operations(model.config(), batch);
  std::vector<double> times;
  double loss = 0;
  while (trainer.step <= steps) {
    announce(text("step ", trainer.step, " of ", steps));
    const StepReport report = trainer.take_step(model, batches);
    times.push_back(report.seconds);
    loss = report.sums.mean_loss();
  }
  announce("measuring matmul");
  const std::size_t memory = platform::peak_memory();
  const double matmul_rate = matmul_1024_rate(), middle = median(times);
  return Json::object({{"seconds", middle},
                       {"seconds_all", Json::array({times.begin(), times.end()})},
                       {"tokens", first.tokens},
                       {"tokens_per_second", to_double(first.tokens) / middle},
                       {"flops", operations},
                       {"gflops", operations / middle / 1e9},
                       {"matmul_1024_gflops", matmul_rate / 1e9},
                       {"share_of_matmul", operations / middle / matmul_rate},
                       {"peak_memory_bytes", memory},
                       {"loss", loss}});
}

Json measure_parts(Transformer& model, const Batch& batch, const Patience& patience,
                   const Announce& announce) {
  Trainer trainer;
  const BatchSource batches = [&](std::uint64_t) { return batch; };
  announce("the first step");
  trainer.take_step(model, batches);
  Stopwatch watch;
  const Observer observer = [&](const std::string& name, const ConstMatrixView&) {
    watch.see(name);
  };

  std::map<std::string, std::pair<std::vector<double>, std::vector<double>>> all;  // step by step
  const double start = now();
  std::vector<Stopwatch::Times> last;  // for the order
  for (int step = 0; step < patience.runs || now() - start < patience.total_seconds; ++step) {
    announce(text("watching step ", step + 1));
    watch.start();
    trainer.take_step(model, batches, &observer);
    last = watch.stop();
    for (const Stopwatch::Times& times : last) {
      all[times.part].first.push_back(times.forward);
      all[times.part].second.push_back(times.backward);
    }
  }
  Json parts = Json::array();
  for (const Stopwatch::Times& times : last) {
    parts.add(Json::object({{"name", times.part},
                            {"forward_seconds", median(all.at(times.part).first)},
                            {"backward_seconds", median(all.at(times.part).second)}}));
  }
  return parts;
}

}  // namespace attn
