#include "app/train_run.h"

#include <utility>

#include "app/train_options.h"
#include "base/memory.h"
#include "base/platform.h"
#include "lab/figures/curves.h"
#include "model/architectures.h"

namespace attn::app {

namespace {

// (From a text, sentences too long for the model were left out.)
void check_positions(const SequenceModel& model, const TrainingData& data) {
  if (data.longest_sentence > model.longest_sentence()) {
    fail_usage("--max-positions ", model.longest_sentence(), " is too few: sentences take up to ",
               data.longest_sentence);
  }
}

// Whether a step fits into the memory that was available before anything of the run was loaded.
void check_step_memory(const Settings& model, const TrainingSettings& settings,
                       const TrainingData& data, double available) {
  const bool keeps_best = settings.solved_after == 0 && !data.validation.batches.empty();
  const double bytes =
      plan_model(model, "the model")
          .training_memory(data.batch_tokens, data.longest_sentence,
                           (settings.averaging > 0 ? 1 : 0) + (keeps_best ? 1 : 0));
  check_memory(bytes, "training this model with these batches",
               "choose smaller --batch-tokens (with --accumulate), fewer --layers, a smaller "
               "--d-model or --d-ff, or a smaller --vocabulary",
               available);
}

Run new_run(const Arguments& arguments) {
  const double available = platform::available_memory();
  Plan plan = plan_training(arguments);
  Run run;
  run.directory = plan.directory;
  run.data = training_data(plan.settings, plan.longest_sentence,
                           plan.tokenizer ? &*plan.tokenizer : nullptr, plan.fresh);
  const std::string vocabulary = std::to_string(run.data.tokenizer.size());
  plan.model["source_vocabulary"] = plan.model["target_vocabulary"] = vocabulary;
  check_step_memory(plan.model, plan.settings, run.data, available);
  run.model = make_model(plan.model, "the model");
  check_positions(*run.model, run.data);
  initialise_parameters(*run.model, plan.settings.seed);
  run.trainer.settings = plan.settings;
  // Saved before the first step: a run can be resumed whenever it was killed, and a directory that
  // cannot be written is an error now.
  run.lock = create_run(run.directory);
  save_run(run.directory, *run.model, run.trainer, run.data.tokenizer, false);
  return run;
}

Run resumed_run(const Arguments& arguments) {
  const double available = platform::available_memory();
  check_resume_options(arguments);
  Run run;
  run.directory = arguments.value("resume");
  LoadedRun loaded = resume_run(run.directory);
  run.model = std::move(loaded.model);
  run.trainer = std::move(loaded.trainer);
  run.lock = std::move(loaded.lock);
  TrainingSettings& settings = run.trainer.settings;
  if (!arguments.operands().empty() && arguments.operands()[0] != settings.task) {
    fail_usage("the run in ", run.directory, " learns ", settings.task, ", not ",
               arguments.operands()[0]);
  }
  settings.save_every = arguments.number_or("save-every", settings.save_every, 0, kLargestCount);
  if (arguments.has("patience") && settings.task != "text") {
    fail_usage("--patience is for train text; ", settings.task, " ends when it is solved");
  }
  settings.patience = arguments.number_or("patience", settings.patience, 0, kLargestCount);
  settings.steps = arguments.number_or("steps", settings.steps, 0, kLargestCount);
  if (arguments.has("steps") && settings.steps < run.trainer.step) {
    fail_usage("the run in ", run.directory, " is at step ", run.trainer.step,
               " already; --steps is the total, give more than that");
  }
  move_files(arguments, settings);
  run.data = training_data(settings, run.model->longest_sentence(), &loaded.tokenizer, {});
  check_step_memory(run.model->settings(), settings, run.data, available);
  draw_curves(run.directory);  // a process killed before it did has left an older picture
  return run;
}

}  // namespace

Run begin_run(const Arguments& arguments) {
  return arguments.has("resume") ? resumed_run(arguments) : new_run(arguments);
}

}  // namespace attn::app
