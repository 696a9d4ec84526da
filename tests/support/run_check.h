// What every kind of model has to do in a run: stop and go on.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "storage/atomic_file.h"
#include "support/small_models.h"
#include "support/temporary_directory.h"
#include "tasks/task.h"
#include "training/run_directory.h"

namespace attn::test {

// A run of a few steps that learns to reverse.
template <class Model>
Run new_run(const std::string& directory, Model model) {
  Run run;
  run.directory = directory;
  run.lock = create_run(directory);
  run.model = std::make_unique<Model>(std::move(model));
  run.tokenizer = find_task("reverse").tokenizer;
  TrainingSettings& settings = run.trainer.settings;
  settings.batch_tokens = 40;
  settings.warmup = 5;
  settings.seed = 7;
  settings.validate_every = 4;
  settings.averaging = 0.9;
  return run;
}

inline void take_steps(Run& run, int steps) {
  const Task task = find_task("reverse");
  const TrainingSettings& settings = run.trainer.settings;
  for (int i = 0; i < steps; ++i) {
    run.trainer.take_step(*run.model, [&](std::uint64_t index) {
      return task_batch(task, settings.seed, index, settings.batch_tokens);
    });
  }
}

// A run that was stopped, saved and resumed has the files of a run without the stop, in `directory`
// "stopped" and "whole".
template <class Model, class Config>
void check_resumed(const TemporaryDirectory& directory, Config config, int steps = 4,
                   int stopped_after = 2, PlanModel* plan = plan_transformer) {
  config.source_vocabulary = config.target_vocabulary = find_task("reverse").tokenizer.size();
  const std::string whole = directory.path("whole"), stopped = directory.path("stopped");
  for (const auto& [path, taken] : {std::pair{whole, steps}, std::pair{stopped, stopped_after}}) {
    Run run = new_run(path, model_with_random_parameters<Model>(config, 1));
    take_steps(run, taken);
    save_run(run, false);
  }
  Run run = resume_run(stopped, plan);
  CHECK(run.trainer.step == stopped_after);
  CHECK(run.trainer.settings.seed == 7);
  CHECK(run.model->facts.settings == Model(config).facts.settings);
  take_steps(run, steps - stopped_after);
  save_run(run, false);
  for (const std::string file : {"/training.safetensors", "/model.safetensors", "/tokenizer.txt"}) {
    CAPTURE(file);
    CHECK(read_file(whole + file) == read_file(stopped + file));
  }
}

}  // namespace attn::test
