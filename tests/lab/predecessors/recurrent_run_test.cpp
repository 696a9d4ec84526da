// Recurrent models go through the same trainer, files and search as the Transformer.
#include <doctest/doctest.h>

#include "decoding/beam_search.h"
#include "decoding/greedy.h"
#include "examples/load_transformer.h"
#include "storage/atomic_file.h"
#include "support/small_recurrent_models.h"
#include "support/temporary_directory.h"
#include "tasks/task.h"

using namespace attn;
using namespace attn::test;

namespace {

void train_steps(SequenceModel& model, Trainer& trainer, const Task& task, int steps) {
  for (int i = 0; i < steps; ++i) {
    trainer.take_step(model, [&](std::uint64_t index) {
      return task_batch(task, trainer.settings.seed, index, trainer.settings.batch_tokens);
    });
  }
}

// A run of `steps` steps, saved once, at the end.
void make_recurrent_run(const std::string& directory, RecurrentConfig config, int steps) {
  const Task task = find_task("reverse");
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  config.dropout = 0.2;
  RecurrentModel model(config);
  initialise_parameters(model, 3);
  Trainer trainer;
  trainer.settings.batch_tokens = 40;
  trainer.settings.warmup = 5;
  trainer.settings.averaging = 0.9;
  create_run(directory);
  train_steps(model, trainer, task, steps);
  save_run(directory, model, trainer, task.tokenizer, false);
}

}  // namespace

TEST_SUITE("2 predecessors") {
  TEST_CASE("a recurrent run that was stopped, saved and resumed is the run without the stop") {
    for (const SmallRecurrentModel& small : small_recurrent_models()) {
      CAPTURE(small.name);
      const TemporaryDirectory directory;
      make_recurrent_run(directory.path("whole"), small.config, 4);
      make_recurrent_run(directory.path("stopped"), small.config, 2);
      LoadedRun run = resume_run(directory.path("stopped"));
      CHECK(run.trainer.step == 2);
      train_steps(*run.model, run.trainer, find_task("reverse"), 2);
      save_run(directory.path("stopped"), *run.model, run.trainer, run.tokenizer, false);
      for (const char* file : {"/training.safetensors", "/model.safetensors"}) {
        CAPTURE(file);
        CHECK(read_file(directory.path("whole") + file) ==
              read_file(directory.path("stopped") + file));
      }
      CHECK_THROWS_WITH_AS(load_transformer(directory.path("whole")),
                           doctest::Contains("not a Transformer"), Error);
    }
  }

  TEST_CASE("every recurrent model learns: the loss of one batch falls to nearly the least") {
    for (const SmallRecurrentModel& small : small_recurrent_models()) {
      CAPTURE(small.name);
      RecurrentConfig config = small.config;
      config.d_model = 16;
      config.label_smoothing = 0;
      RecurrentModel model(config);
      initialise_parameters(model, 3);
      Trainer trainer;
      trainer.settings.warmup = 20;
      trainer.settings.clip = 1;
      const auto batch = [](std::uint64_t) { return small_batch(); };
      for (int i = 0; i < 100; ++i) trainer.take_step(model, batch);
      CHECK(model.loss(small_batch()).mean_loss() < 0.1);

      // Then greedy and beam search write the targets.
      const PackedIds sources = small_batch().source;
      const std::vector<std::vector<int>> targets{{4, 9}, {}, {3, 3, 5, 10}};
      CHECK(decode_greedily(model, sources) == targets);
      const auto best = beam_search(model, sources);
      for (std::size_t b = 0; b < targets.size(); ++b) CHECK(best[b][0].tokens == targets[b]);
    }
  }
}
