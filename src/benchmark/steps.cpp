#include "benchmark/steps.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/platform.h"
#include "benchmark/ladder.h"
#include "benchmark/machine.h"
#include "model/cost.h"

namespace attn {

namespace {

double peak_now() {
  std::vector<double> samples;
  for (int i = 0; i < 5; ++i) samples.push_back(peak_sample());
  return median(samples);
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

}  // namespace attn
