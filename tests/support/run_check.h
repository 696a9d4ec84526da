// What every kind of model has to do in a run: learn, stop and go on.
#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "decoding/beam_search.h"
#include "decoding/greedy.h"
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

// From fresh weights, so many steps of the same batch.
inline void learn_by_heart(SequenceModel& model, const Batch& batch, int steps) {
  initialise_parameters(model, 3);
  Trainer trainer;
  trainer.settings.warmup = 20;
  trainer.settings.clip = 1;
  for (int i = 0; i < steps; ++i) trainer.take_step(model, [&](std::uint64_t) { return batch; });
}

// The loss of one batch falls to nearly the least; then greedy and beam search write its targets.
template <class Model, class Config>
void check_learns(Config config, int steps) {
  config.d_model = 16;
  config.label_smoothing = 0;
  Model model(config);
  learn_by_heart(model, small_batch(), steps);
  CHECK(model.loss(small_batch()).mean_loss() < 0.1);
  const PackedIds sources = small_batch().source;
  const std::vector<std::vector<int>> targets{{4, 9}, {}, {3, 3, 5, 10}};
  CHECK(decode_greedily(model, sources) == targets);
  const auto best = beam_search(model, sources);
  for (std::size_t b = 0; b < targets.size(); ++b) CHECK(best[b][0].tokens == targets[b]);
}

}  // namespace attn::test
