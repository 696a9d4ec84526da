// The training loop: from loss to updated weights.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <string>

#include "base/clock.h"
#include "model/sequence_model.h"
#include "training/adam.h"
#include "training/schedule.h"
#include "training/training_settings.h"
#include "training/validation.h"

namespace attn {

struct StepReport {
  Index step = 0;            // its number, from 1
  LossSums sums;             // over all the tokens that it predicted
  Index tokens = 0;          // of both sides
  double rate = 0;           // learning rate
  double gradient_norm = 0;  // before clipping
  double seconds = 0;
};

constexpr double kNoPerplexity = std::numeric_limits<double>::infinity();

// All that training changes in addition to the model's weights.
struct Trainer {
  TrainingSettings settings;
  Adam adam;
  Index step = 0;                // steps taken so far
  std::uint64_t next_batch = 0;  // how many batches they have used
  Index validation_due = 0;      // 1: that of the last step was interrupted
  Index solved = 0;              // the last validation's fresh sentences without a mistake

  // Of the validations at multiples of validate_every steps, the smallest perplexity and its
  // weights, by name, unless the last are kept. None if the run ends with its task solved.
  struct Best {
    double perplexity = kNoPerplexity;
    Index step = 0;   // 0: there was no validation
    Index since = 0;  // validations after it, in a row
    std::map<std::string, Tensor> weights;
  };
  Best best;
  // That of the last step if the run has ended between two of those.
  double last_perplexity = kNoPerplexity;
  // Otherwise the last weights, or their mean, do.
  bool decodes_with_best() const {
    return !best.weights.empty() && !(last_perplexity < best.perplexity);
  }

  // With averaging: the running mean of each parameter's weights, by name, which is validated and
  // decodes. At a high learning rate the weights circle around a good point, and their mean is
  // nearer to it: so the paper takes the mean of the last few checkpoints (§6.1).
  //     mean ← d · mean + (1 − d) · w,   d = min(averaging, step/(step + 10))
  std::map<std::string, Tensor> mean;

  // One step: `accumulate` batches forward and backward, then one update by the gradient of the
  // mean loss over all their target tokens. Throws Error if a batch is empty, a source does not end
  // in <eos>, or the weights were never initialised, and Diverged, before any update, if the loss
  // is not finite or the gradient too large. If between_batches throws, only gradients change.
  StepReport take_step(
      SequenceModel& model, const BatchSource& batches,
      const std::function<void()>& between_batches = [] {});
};

// Exchanges the model's weights with their mean, if there is one. A second call undoes the first.
void exchange_mean(SequenceModel& model, Trainer& trainer);

// What train() calls.
struct TrainingEvents {
  std::function<void(const StepReport&)> step = [](const StepReport&) {};
  std::function<void(const Validation&)> validation = [](const Validation&) {};  // of the last step
  // Saves the run, and the last step's weights as a checkpoint of their own, if save_every says so.
  std::function<void(bool checkpoint)> save = [](bool) {};
  // Between any two batches. May throw Interrupted to end the training at once, saved after the
  // last whole step. A validation is made up for when the run goes on.
  std::function<void()> between_batches = [] {};
  std::function<double()> clock = now;                       // seconds; never goes backward
  double seconds = std::numeric_limits<double>::infinity();  // the time for all of it
};
struct Interrupted {};

enum class TrainingEnd { steps, solved, no_gain, stopped };

// Steps until settings.steps, the task is solved, settings.patience runs out or the time is up.
// Validates every validate_every steps and at the end; saves then, and after two minutes, or 20
// times what the last save took if that is more: saving the base model writes 1 GB.
TrainingEnd train(SequenceModel& model, Trainer& trainer, const BatchSource& batches,
                  const ValidationSet& validation, const TrainingEvents& events);

}  // namespace attn
