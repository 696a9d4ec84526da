// A step: the mean loss over the predicted tokens of `accumulate` batches, its gradient, one
// update. Then the step's number and the clock decide whether to validate and save.
#include "training/trainer.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/parallel.h"
#include "kernels/kernels.h"
#include "text/vocabulary.h"

namespace attn {

namespace {

// Throws Error unless a model can learn from the batch.
void check_source(const SequenceModel& model, const Batch& batch) {
  const PackedIds& source = batch.source;
  ATTN_CHECK(source.sentences() > 0, "a batch to train on has no sentences");
  check_offsets(source.offsets, source.tokens());
  for (std::size_t b = 0; b + 1 < source.offsets.size(); ++b) {
    const Index begin = source.offsets[b], end = source.offsets[b + 1];
    if (begin == end && model.facts.one_sequence) continue;
    ATTN_CHECK(begin < end && source.ids[end - 1] == kEos, "source sentence ", b,
               " of a batch to train on does not end in <eos>, id ", kEos, ": add it");
  }
}

// Throws Error unless some randomly initialised weight is not 0, as after initialising or reading.
void check_initialised(const SequenceModel& model) {
  bool random = false, initialised = false;
  read_parameters(model, [&](const std::string&, const Parameter& p) {
    if (p.start != Parameter::Start::glorot && p.start != Parameter::Start::normal) return;
    random = true;
    for (Index i = 0; i < p.value.elements() && !initialised; ++i) initialised = p.value[i] != 0;
  });
  ATTN_CHECK(!random || initialised, "all weights of the model are 0: call initialise_parameters, ",
             "or read a model, before training");
}

// ‖g‖₂ over all parameters together.
double gradient_norm(SequenceModel& model) {
  double sum = 0;
  model.visit_parameters(
      [&](const std::string&, Parameter& p) { sum += sum_of_squares(p.gradient); });
  return std::sqrt(sum);
}

// Throws Diverged, with advice, unless the condition holds.
void check_converged(bool condition, const char* what, Index step) {
  ATTN_CHECK_CONVERGED(condition, what, " at step ", step, ": training has diverged; try a lower ",
                       "`learning_rate_scale`, a longer `warmup` or `clip` 1");
}

// The first steps' weights are not worth much, so the mean forgets them faster: d grows from 1/11.
void update_mean(SequenceModel& model, Trainer& trainer) {
  const double t = to_double(trainer.step);
  const Real kept = static_cast<Real>(std::min(trainer.settings.averaging, t / (t + 10)));
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    Tensor& mean = trainer.mean.at(name);
    parallel_ranges(mean.elements(), 1 << 14, [&](Index begin, Index end) {
      Real* part = mean.data() + begin;
      if (trainer.step == 1) std::copy_n(p.value.data() + begin, end - begin, part);
      kernels().vector_scaled_copy(end - begin, kept, part, part);
      kernels().vector_axpy(end - begin, 1 - kept, p.value.data() + begin, part);
    });
  });
}

// Validates the mean of the weights, if there is one. It leaves the model even if that throws.
Validation validate_mean(SequenceModel& model, Trainer& trainer, const ValidationSet& set,
                         const std::function<void()>& between_batches) {
  struct Exchanged {
    SequenceModel& model;
    Trainer& trainer;
    ~Exchanged() { exchange_mean(model, trainer); }
  };
  exchange_mean(model, trainer);
  const Exchanged back{model, trainer};
  return validate(model, set, between_batches);
}

// Records how the weights, or their mean, did in a validation, and keeps them if they are the best.
// One out of turn competes only until the next step: a run that goes on is then as if it had never
// ended there.
void judge(const SequenceModel& model, Trainer& trainer, const Validation& found, bool regular) {
  if (regular) trainer.solved = found.flawless;
  if (trainer.settings.solved_after > 0) return;
  Trainer::Best& best = trainer.best;
  const double perplexity = found.sums.perplexity();
  if (!regular) {
    trainer.last_perplexity = std::fmin(perplexity, kNoPerplexity);  // NaN is none
    return;
  }
  if (!(perplexity < best.perplexity)) {
    ++best.since;
    return;
  }
  Trainer::Best better{perplexity, trainer.step, 0, {}};
  if (!trainer.settings.keep_last) {
    // The new weights take the memory of the old. If it does not do, none are kept, rather than
    // some of each, and the validation is still due.
    best = {};
    better.weights = trainer.mean.empty() ? weights_by_name(model) : trainer.mean;
  }
  best = std::move(better);
}

// How the run has ended, whenever that was; stopped if something is left to do.
TrainingEnd end_of(const Trainer& trainer) {
  const TrainingSettings& s = trainer.settings;
  if (trainer.validation_due) return TrainingEnd::stopped;
  if (s.solved_after > 0 && trainer.solved >= s.solved_after) return TrainingEnd::solved;
  if (s.patience > 0 && trainer.best.since >= s.patience) return TrainingEnd::no_gain;
  return trainer.step >= s.steps ? TrainingEnd::steps : TrainingEnd::stopped;
}

// Not before the first step: a run that is stopped within it has nothing to keep a copy of.
bool is_multiple(Index step, Index every) {
  return every > 0 && step > 0 && step % every == 0;
}

}  // namespace

StepReport Trainer::take_step(SequenceModel& model, const BatchSource& batches,
                              const std::function<void()>& between_batches) {
  const double start = now();
  StepReport report;
  report.step = step + 1;
  check_initialised(model);

  // The mean is over the tokens of all batches of the step, so they are counted first. Only one
  // batch is held at a time, in the end the first; the others are made again in their turn.
  const std::uint64_t end = next_batch + static_cast<std::uint64_t>(settings.accumulate);
  Batch batch;
  Index predicted = 0;
  for (std::uint64_t index = end; index-- > next_batch;) {
    if (index + 1 < end) between_batches();
    batch = batches(index);
    check_source(model, batch);
    predicted += predicted_tokens(model, batch);
    report.tokens += batch.source.tokens() + batch.target_input.tokens();
  }

  // Gradients of the mean loss. Each batch has dropout masks of its own.
  zero_gradients(model);
  const Real scale = static_cast<Real>(1 / to_double(predicted));
  for (std::uint64_t index = next_batch; index < end; ++index) {
    if (index > next_batch) {
      between_batches();
      batch = batches(index);
    }
    const DropoutMasks masks(settings.seed, index);
    report.sums += model.loss_and_gradients(batch, masks, scale);
  }
  check_converged(std::isfinite(report.sums.loss), "the loss is not a finite number", report.step);

  // A gradient longer than `clip` is shortened to it, its direction kept. What remains must have
  // squares that a Real can hold, for Adam's v.
  const double norm = gradient_norm(model), clip = settings.clip;
  const double factor = clip > 0 && norm > clip ? clip / norm : 1;
  check_converged(norm * factor <= 1e18, "the gradient is too large", report.step);

  // One update, and one tick of the schedule, however many batches it took.
  report.gradient_norm = norm;
  report.rate = Schedule{model.facts.d_model, settings.warmup, settings.learning_rate_scale}.rate(
      report.step);
  // No memory is asked for once weights change.
  if (settings.averaging > 0 && mean.empty()) mean = weights_by_name(model);
  adam.update(model, report.step, report.rate, factor);
  step = report.step;
  last_perplexity = kNoPerplexity;
  if (settings.averaging > 0) update_mean(model, *this);
  next_batch = end;
  report.seconds = now() - start;
  return report;
}

void exchange_mean(SequenceModel& model, Trainer& trainer) {
  if (trainer.mean.empty()) return;
  model.visit_parameters(
      [&](const std::string& name, Parameter& p) { std::swap(p.value, trainer.mean.at(name)); });
}

TrainingEnd train(SequenceModel& model, Trainer& trainer, const BatchSource& batches,
                  const ValidationSet& validation, const TrainingEvents& events) {
  const TrainingSettings& settings = trainer.settings;
  check(settings);
  const double begin = events.clock();
  double saved = begin, saving = 0;  // when the last save ended, and how long it took
  bool is_saved = false, out_of_time = false;
  try {
    while (!out_of_time && end_of(trainer) == TrainingEnd::stopped) {
      // Read batches, go forward and backward, update.
      if (!trainer.validation_due) {
        events.between_batches();
        events.step(trainer.take_step(model, batches, events.between_batches));
        is_saved = false;
      }

      // Validate, and keep the best.
      const bool regular = is_multiple(trainer.step, settings.validate_every);
      out_of_time = events.clock() - begin >= events.seconds;
      const bool last = out_of_time || trainer.step >= settings.steps;
      trainer.validation_due = !validation.batches.empty() && (regular || last);
      if (trainer.validation_due) {
        const Validation found = validate_mean(model, trainer, validation, events.between_batches);
        judge(model, trainer, found, regular);
        trainer.validation_due = false;
        events.validation(found);
      }

      // Save.
      const double time = events.clock();
      const bool late = time - saved >= std::max(120.0, 20 * saving);
      const bool checkpoint = is_multiple(trainer.step, settings.save_every);
      if (regular || checkpoint || late) {
        events.save(checkpoint);
        is_saved = true;
        saved = events.clock();
        saving = saved - time;
      }
    }
  } catch (const Interrupted&) {
    // What follows is done at any end.
  }
  if (!is_saved) events.save(is_multiple(trainer.step, settings.save_every));
  return end_of(trainer);
}

}  // namespace attn
