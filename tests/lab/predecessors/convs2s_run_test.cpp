// ConvS2S goes through the same trainer, files and search as the Transformer.
#include <doctest/doctest.h>

#include "decoding/beam_search.h"
#include "decoding/greedy.h"
#include "lab/predecessors/convs2s.h"
#include "model/architectures.h"
#include "storage/atomic_file.h"
#include "support/small_models.h"
#include "support/temporary_directory.h"
#include "tasks/task.h"
#include "training/run_directory.h"

using namespace attn;
using namespace attn::test;

namespace {

ConvS2SConfig tiny_convs2s() {
  ConvS2SConfig config;
  config.source_vocabulary = 11;
  config.target_vocabulary = 11;
  config.layers = 2;
  config.d_model = 16;
  config.dropout = 0;
  config.label_smoothing = 0;
  return config;
}

void take_steps(SequenceModel& model, Trainer& trainer, const Task& task, int steps) {
  for (int i = 0; i < steps; ++i) {
    trainer.take_step(model, [&](std::uint64_t index) {
      return task_batch(task, trainer.settings.seed, index, trainer.settings.batch_tokens);
    });
  }
}

// A run of `steps` steps, saved once, at the end.
void make_convs2s_run(const std::string& directory, int steps) {
  const Task task = find_task("reverse");
  ConvS2SConfig config = tiny_convs2s();
  config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
  config.dropout = 0.2;
  ConvS2S model(config);
  initialise_parameters(model, 3);
  Trainer trainer;
  trainer.settings.batch_tokens = 40;
  trainer.settings.warmup = 5;
  trainer.settings.averaging = 0.9;
  create_run(directory);
  take_steps(model, trainer, task, steps);
  save_run(directory, model, trainer, task.tokenizer, false);
}

}  // namespace

TEST_SUITE("2 background: ConvS2S") {
  TEST_CASE("a ConvS2S run that was stopped, saved and resumed is the run without the stop") {
    const TemporaryDirectory directory;
    make_convs2s_run(directory.path("whole"), 4);
    make_convs2s_run(directory.path("stopped"), 2);
    LoadedRun run = resume_run(directory.path("stopped"));
    CHECK(run.trainer.step == 2);
    take_steps(*run.model, run.trainer, find_task("reverse"), 2);
    save_run(directory.path("stopped"), *run.model, run.trainer, run.tokenizer, false);
    for (const char* file : {"/training.safetensors", "/model.safetensors"}) {
      CAPTURE(file);
      CHECK(read_file(directory.path("whole") + file) ==
            read_file(directory.path("stopped") + file));
    }
  }

  TEST_CASE("ConvS2S learns: the loss of one batch falls to nearly the least") {
    ConvS2S model(tiny_convs2s());
    initialise_parameters(model, 3);
    Trainer trainer;
    trainer.settings.warmup = 20;
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

  TEST_CASE(
      "a preset's ConvS2S has its layers, width and dropout, and as many positions as asked") {
    Settings settings = preset_settings("convs2s", "small");
    CHECK(settings.at("layers") == "3");
    CHECK(settings.at("d_model") == "256");
    CHECK(settings.count("heads") == 0);
    settings["max_positions"] = "77";
    CHECK(plan_model_of_any_vocabulary(settings, "here").longest_sentence == 77);
    settings["source_vocabulary"] = settings["target_vocabulary"] = "20";
    CHECK(make_model(settings, "here")->longest_sentence() == 77);
    CHECK_THROWS_WITH_AS(make_model(settings, "here", 1000), doctest::Contains("asks for"), Error);
    CHECK(plan_model(settings, "here").training_memory(1000, 50, 0) > 1e6);
    settings["encoder_kernel"] = "2";
    CHECK_THROWS_WITH_AS(plan_model(settings, "here"),
                         "here: encoder_kernel must be odd, around a position, not 2", Error);
  }
}
