// Training steps, measured: whole ones, and the kinds of layer that they consist of.
#pragma once

#include <functional>
#include <vector>

#include "lab/benchmark/cost.h"
#include "lab/benchmark/machine.h"
#include "lab/benchmark/timing.h"
#include "model/transformer.h"
#include "training/trainer.h"

namespace attn {

// One measured step.
struct StepTime {
  double seconds;
  double tokens;      // source and target
  double operations;  // of its products
  double peak;        // operations per second, sampled before and after it

  double tokens_per_second() const { return tokens / seconds; }
  double rate() const { return operations / seconds; }
  double share() const { return rate() / peak; }
};

struct StepTimes {
  std::vector<StepTime> steps;
  double loss = 0;         // of the last step
  std::size_t memory = 0;  // the most that the process held, in bytes
  double matmul_rate = 0;  // of matmul at 1024³, right after the steps

  // The median, over the steps, of one of their members.
  template <class Member>
  double middle(Member member) const {
    std::vector<double> values;
    for (const StepTime& step : steps) values.push_back(std::invoke(member, step));
    return median(values);
  }
  double share_of_matmul() const { return middle(&StepTime::rate) / matmul_rate; }
};

// As many steps as asked for or, if that is 0, as take `seconds`; before them one that is not
// counted.
StepTimes measure_steps(Transformer& model, Trainer& trainer, const BatchSource& batches,
                        Index steps, double seconds, const Announce& announce);

// One layer of a kind. Without a backward pass, its seconds are 0.
struct LayerTime {
  std::string name;
  Index count;  // how many a step has
  bool part;    // of the kind before it, whose time includes this one
  Speed forward, backward;

  double seconds() const {  // of all of them in a step
    return static_cast<double>(count) * (forward.seconds + backward.seconds);
  }
};
// The last "layer" is the rest of the step.
struct LayerTimes {
  std::vector<LayerTime> layers;
  double step = 0;  // seconds
};

// Takes training steps on this batch, watched by a stopwatch: at least patience.runs, and as many
// as last patience.total_seconds for each kind of layer. A layer's time leaves out that of layers
// inside it, so the times in one step add up to the step; the results are medians over the steps.
// Softmax runs inside threads, where no stopwatch can see it, so it is measured by itself.
LayerTimes measure_layers(Transformer& model, Trainer& trainer, const Batch& batch,
                          const Patience& patience, const Announce& announce);

}  // namespace attn
