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

// What one step did.
struct StepReport {
  Index step = 0;            // its number, from 1
  LossSums sums;             // over all the tokens that it predicted
  Index tokens = 0;          // of both sides
  double rate = 0;           // learning rate
  double gradient_norm = 0;  // before clipping; 0 if it was not asked for
  double seconds = 0;
};

// All that training changes in addition to the model's weights.
struct Trainer {
  TrainingSettings settings;
  Adam adam;
  Index step = 0;                // steps taken so far
  std::uint64_t next_batch = 0;  // how many batches they have used
  bool validation_due = false;   // that of the last step was abandoned
  Index solved = 0;              // the last validation's fresh sentences without a mistake

  // Of the validations at multiples of validate_every steps the one with the smallest perplexity,
  // and, unless the last weights are to be kept, those that were validated, by name: they are what
  // decodes. A run that ends when its task is solved has none, and decodes with the last weights.
  struct Best {
    double perplexity = std::numeric_limits<double>::infinity();
    Index step = 0;   // 0: there was no validation
    Index since = 0;  // validations after it, in a row
    std::map<std::string, Tensor> weights;
  };
  Best best;

  // With averaging: the running mean of each parameter's weights, by name. It is what is validated
  // and what decodes. The paper takes the mean of the last few checkpoints (§6.1) for the same
  // reason: at a high learning rate the weights circle around a good point, and their mean is
  // nearer to it.
  //     mean ← d · mean + (1 − d) · w,   d = min(averaging, step/(step + 10))
  std::map<std::string, Tensor> mean;

  // One step: `accumulate` batches forward and backward, then one update of the weights. Gradients
  // are those of the mean loss over all target tokens of all its batches, so several small batches
  // do what one large batch would. Throws Error if a batch is empty, if a source sentence does not
  // end in <eos>, or if the model's weights were never initialised. If the loss is not a finite
  // number, throws Diverged and leaves the weights as they were. watcher sees the passes, and the
  // parts "zero_gradients" and "adam".
  // stop is asked between two batches. Once it says true, the step is abandoned as if it had not
  // begun: nothing but the gradients has changed, and the report is empty, of step 0.
  StepReport take_step(SequenceModel& model, const BatchSource& batches,
                       const Watcher* watcher = nullptr,
                       const std::function<bool()>& stop = nullptr);
};

// Exchanges the model's weights with their mean, if there is one. A second call undoes the first.
void exchange_mean(SequenceModel& model, Trainer& trainer);

// A run that is killed loses about this much work at most. Saving the base model writes 1 GB and
// takes seconds, so a run spends little of its time on it.
constexpr double kSecondsBetweenSaves = 120;

// What train() tells and asks its caller. Each may be left empty except the clock.
struct TrainingEvents {
  std::function<void(const StepReport&)> step;
  std::function<void(Index step, const Validation&)> validation;
  // The run is at a point worth keeping; `checkpoint` if save_every asks for a copy of its own.
  std::function<void(bool checkpoint)> save;
  // Asked after every step, and between the batches of one; true ends the training at the last
  // whole step, saved but not validated out of turn.
  std::function<bool()> stop;
  // Asked again and again during a validation; true abandons it and ends the training like stop.
  // The validation is made up for when the run goes on, which then is as if it had never stopped.
  std::function<bool()> interrupt;
  std::function<double()> clock = now;  // seconds; never goes backward
};

enum class TrainingEnd { steps, solved, no_gain, stopped };

// Steps until settings.steps are taken, the task is solved, settings.patience has run out, or
// events.stop says so. Validates every validate_every steps and at the last step. Saves after each
// validation, at the end, and after a step if kSecondsBetweenSaves have passed, or 20 times what
// the last save took if that is more.
TrainingEnd train(SequenceModel& model, Trainer& trainer, const BatchSource& batches,
                  const ValidationSet& validation, const TrainingEvents& events);

}  // namespace attn
