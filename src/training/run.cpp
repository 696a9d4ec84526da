// Settings → data → model → a directory: the order in which a run comes about. The vocabularies of
// a model are those of its data, so the data come first.
#include "training/run.h"

#include <utility>

#include "base/memory.h"
#include "base/platform.h"

namespace attn {

// Whether a step fits into the memory that was available before anything of the run was loaded.
static void check_step_memory(const ModelFacts& model, const TrainingSettings& settings,
                              const TrainingData& data, double available) {
  const bool keeps_best =
      settings.solved_after == 0 && !settings.keep_last && !data.validation.batches.empty();
  const double bytes = training_memory(model, data.batch_tokens, data.longest_sentence,
                                       (settings.averaging > 0 ? 1 : 0) + (keeps_best ? 1 : 0));
  check_memory(bytes, "training this model with these batches",
               "choose smaller `batch_tokens` (with `accumulate`), fewer `layers`, a smaller "
               "`d_model` or `d_ff`, or a smaller `vocabulary`",
               available);
}

Run prepare_run(const RunPlan& plan, const Makers& makers) {
  const double available = platform::available_memory();
  Run run;
  run.trainer.settings = plan.training;
  const ModelPlan any = makers.model(with_any_vocabulary(plan.model), "the model");
  run.data = makers.data(run.trainer.settings, any.facts.longest_sentence, plan.tokenizer);
  run.tokenizer = run.data.tokenizer;
  Settings model = plan.model;
  model["source_vocabulary"] = model["target_vocabulary"] = std::to_string(run.tokenizer.size());
  const ModelPlan planned = makers.model(model, "the model");
  check_step_memory(planned.facts, run.trainer.settings, run.data, available);
  run.model = planned.make();
  initialise_parameters(*run.model, plan.training.seed);
  return run;
}

void keep_run(Run& run, const std::string& directory) {
  run.directory = directory;
  run.lock = create_run(directory);
  save_run(run, false);
}

Run continued_run(const std::string& directory, const std::function<void(Trainer&)>& change,
                  const Makers& makers) {
  const double available = platform::available_memory();
  Run run = resume_run(directory, makers.model);
  if (change) change(run.trainer);
  TrainingSettings& settings = run.trainer.settings;
  run.data = makers.data(settings, run.model->facts.longest_sentence, {run.tokenizer});
  check_step_memory(run.model->facts, settings, run.data, available);
  return run;
}

TrainingEnd train(Run& run, const TrainingEvents& events) {
  return train(*run.model, run.trainer, run.data.batches, run.data.validation, events);
}

}  // namespace attn
