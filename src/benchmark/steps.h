// Whole training steps, measured.
#pragma once

#include <functional>
#include <vector>

#include "benchmark/timing.h"
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

}  // namespace attn
