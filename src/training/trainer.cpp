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
    if (begin == end && !model.needs_source()) continue;
    ATTN_CHECK(begin < end && source.ids[static_cast<std::size_t>(end - 1)] == kEos,
               "source sentence ", b, " of a batch to train on does not end in <eos>, id ", kEos,
               ": add it");
  }
}

// Throws Error unless the weights were initialised or read: then one of those that begin random is
// not 0.
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

// A gradient longer than that is shortened, its direction kept. Returns the factor.
double clip(SequenceModel& model, double longest, StepReport& report) {
  if (longest == 0) return 1;
  report.gradient_norm = gradient_norm(model);
  ATTN_CHECK_CONVERGED(std::isfinite(report.gradient_norm), "the gradient is not finite at step ",
                       report.step, ": training has diverged; try a lower `learning_rate_scale`");
  return report.gradient_norm > longest ? longest / report.gradient_norm : 1;
}

// The first steps' weights are not worth much, so the mean forgets them faster: d grows from 1/11.
void update_mean(SequenceModel& model, Trainer& trainer) {
  const double t = static_cast<double>(trainer.step);
  const Real kept = static_cast<Real>(std::min(trainer.settings.averaging, t / (t + 10)));
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    Tensor& mean = trainer.mean[name];
    if (mean.empty()) mean = p.value;
    parallel_ranges(mean.elements(), 1 << 14, [&](Index begin, Index end) {
      kernels().vector_scale(end - begin, kept, mean.data() + begin);
      kernels().vector_axpy(end - begin, 1 - kept, p.value.data() + begin, mean.data() + begin);
    });
  });
}

// While this lives, the model has the mean as its weights, even if an exception ends that.
struct MeanInPlace {
  SequenceModel& model;
  Trainer& trainer;
  MeanInPlace(SequenceModel& m, Trainer& t) : model(m), trainer(t) {
    exchange_mean(model, trainer);
  }
  ~MeanInPlace() { exchange_mean(model, trainer); }
};

// Records how the weights that the model has now did in a validation.
void judge(const SequenceModel& model, Trainer& trainer, const Validation& found) {
  trainer.solved = found.flawless;
  if (trainer.settings.solved_after > 0) return;
  Trainer::Best& best = trainer.best;
  const double perplexity = found.sums.perplexity();
  if (!(perplexity < best.perplexity)) {
    ++best.since;
    return;
  }
  best.perplexity = perplexity;
  best.step = trainer.step;
  best.since = 0;
  if (trainer.settings.keep_last) return;
  read_parameters(
      model, [&](const std::string& name, const Parameter& p) { best.weights[name] = p.value; });
}

}  // namespace

StepReport Trainer::take_step(SequenceModel& model, const BatchSource& batches,
                              const Watcher* watcher, const std::function<bool()>& stop) {
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
    if (index + 1 < end && stop && stop()) return {};
    batch = batches(index);
    check_source(model, batch);
    predicted += model.predicted_tokens(batch);
    report.tokens += batch.source.tokens() + batch.target_input.tokens();
  }

  // Gradients of the mean loss. Each batch has dropout masks of its own.
  const Pass whole(DropoutMasks(), watcher);
  {
    const Pass part = whole.in("zero_gradients");
    zero_gradients(model);
  }
  const Real scale = static_cast<Real>(1 / static_cast<double>(predicted));
  for (std::uint64_t index = next_batch; index < end; ++index) {
    if (index > next_batch) {
      if (stop && stop()) return {};
      batch = batches(index);
    }
    const DropoutMasks masks(settings.seed, index);
    report.sums += model.loss_and_gradients(batch, Pass(masks, watcher), scale);
  }
  ATTN_CHECK_CONVERGED(std::isfinite(report.sums.loss), "the loss is not a finite number at step ",
                       report.step,
                       ": training has diverged; try a lower `learning_rate_scale`, a longer ",
                       "`warmup` or `clip` 1");

  // One update, and one tick of the schedule, however many batches it took.
  const double gradient_scale = clip(model, settings.clip, report);
  report.rate =
      Schedule{model.d_model(), settings.warmup, settings.learning_rate_scale}.rate(report.step);
  {
    const Pass part = whole.in("adam");
    adam.update(model, report.step, report.rate, gradient_scale);
  }
  step = report.step;
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
  const auto solved = [&] {
    return settings.solved_after > 0 && trainer.solved >= settings.solved_after;
  };
  const auto no_gain = [&] {
    return settings.patience > 0 && trainer.best.since >= settings.patience;
  };
  double saved = events.clock(), saving = 0;  // when the last save ended, and how long it took
  const auto save = [&](bool checkpoint) {
    const double begin = events.clock();
    if (events.save) events.save(checkpoint);
    saved = events.clock();
    saving = saved - begin;
  };
  const auto is_over = [&] { return trainer.step >= settings.steps || solved() || no_gain(); };
  bool stopped = false;
  while (!stopped && (trainer.validation_due || !is_over())) {
    const auto is_due = [&](Index every) { return every > 0 && trainer.step % every == 0; };
    if (!trainer.validation_due) {
      const StepReport report = trainer.take_step(model, batches, nullptr, events.stop);
      if (report.step == 0) {
        save(false);
        return TrainingEnd::stopped;
      }
      if (events.step) events.step(report);
      stopped = events.stop && events.stop();
      const bool due = is_due(settings.validate_every) || trainer.step == settings.steps;
      trainer.validation_due = due && !validation.batches.empty();
    }

    // Validate, note how long nothing was wrong, save.
    if (trainer.validation_due) {
      std::optional<Validation> found;
      {
        const MeanInPlace mean(model, trainer);
        found = validate(model, validation, events.interrupt);
        // Only at the regular steps: a run that was stopped early and resumed counts the same ones.
        if (found && is_due(settings.validate_every)) judge(model, trainer, *found);
      }
      trainer.validation_due = !found;
      stopped = stopped || !found;
      if (found && events.validation) events.validation(trainer.step, *found);
    }
    const bool late = events.clock() - saved >= std::max(kSecondsBetweenSaves, 20 * saving);
    const bool checkpoint = is_due(settings.save_every), last = trainer.step == settings.steps;
    if (is_due(settings.validate_every) || checkpoint || last || stopped || late) save(checkpoint);
  }
  if (solved()) return TrainingEnd::solved;
  if (no_gain()) return TrainingEnd::no_gain;
  const bool whole = trainer.step >= settings.steps && !trainer.validation_due;
  return whole ? TrainingEnd::steps : TrainingEnd::stopped;
}

}  // namespace attn
