// Run directories. The input is a list of changes to a good run, one a line:
//
//     key=value      sets something in the metadata of both files ("config.d_model=7")
//     name:2,3       puts a tensor of that shape there (of few numbers)
//     -name          takes a tensor or a key of the metadata away
//     ~text          appends a line to the log
//
// In keys, values and log lines, \n stands for the end of a line. A run that is accepted must be
// saved and read again as it was, and train on.
#include "training/run_directory.h"

#include <filesystem>

#include "app/drawing/training_log.h"
#include "base/parallel.h"
#include "fuzz/fuzz.h"
#include "model/transformer.h"
#include "storage/safetensors.h"
#include "support/small_models.h"
#include "tasks/task.h"
#include "text/lines.h"

using namespace attn;

namespace {

constexpr const char* kFiles[] = {"training.safetensors", "model.safetensors"};

std::string path(const std::string& name) {
  return fuzz::directory().path("run/" + name);
}

// One step, of a batch that is small whatever the file wants.
void take_step(Run& run) {
  const Task task = find_task("copy");
  run.trainer.settings.accumulate = 1;
  run.trainer.take_step(*run.model,
                        [&](std::uint64_t index) { return task_batch(task, 1, index, 40); });
}

struct GoodRun {
  TensorFile files[2];
  GoodRun() {
    set_threads(1);
    const Task task = find_task("copy");
    TransformerConfig config = test::small_config();
    config.layers = 1;
    config.source_vocabulary = config.target_vocabulary = task.tokenizer.size();
    Transformer model(config);
    initialise_parameters(model, 1);
    Run run;
    run.directory = fuzz::directory().path("run");
    run.lock = create_run(run.directory);
    run.model = std::make_unique<Transformer>(std::move(model));
    run.tokenizer = task.tokenizer;
    run.trainer.settings.batch_tokens = 40;
    run.trainer.settings.averaging = 0.9;
    take_step(run);
    save_run(run, false);
    for (int i = 0; i < 2; ++i) {
      files[i] = read_safetensors(path(kFiles[i]));
      files[i].metadata.erase("attention.checksum");  // which would refuse every change
    }
  }
};

std::string unescaped(std::string text) {
  for (std::size_t at = 0; (at = text.find("\\n", at)) != text.npos;) text.replace(at, 2, "\n");
  return text;
}

void change(TensorFile& file, const std::string& line) {
  const std::size_t at = line.find_first_of("=:");
  if (line[0] == '-') {
    file.tensors.erase(line.substr(1));
    file.metadata.erase(line.substr(1));
  } else if (at != line.npos && line[at] == '=') {
    file.metadata[unescaped(line.substr(0, at))] = unescaped(line.substr(at + 1));
  } else if (at != line.npos && line.substr(0, at) != "__metadata__") {
    file.tensors[line.substr(0, at)] = fuzz::tensor_of(line.substr(at + 1));
  }
}

void write(const std::string& name, const TensorFile& file) {
  std::vector<NamedTensor> tensors;
  for (const auto& [key, tensor] : file.tensors) tensors.push_back({key, &tensor});
  write_safetensors(path(name), tensors, file.metadata);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const GoodRun good;
  TensorFile files[2] = {good.files[0], good.files[1]};
  std::string log = "step\tloss\n";
  for (const std::string& line : split(fuzz::view(data, size), '\n')) {
    if (line.empty()) continue;
    if (line[0] == '~') {
      log += unescaped(line.substr(1)) + "\n";
    } else {
      for (TensorFile& file : files) change(file, line);
    }
  }
  // What no safetensors file can hold is not our matter here.
  const bool written = fuzz::accepts([&] {
    for (int i = 0; i < 2; ++i) write(kFiles[i], files[i]);
  });
  if (!written) return 0;
  fuzz::put(path("log.tsv"), log);
  std::filesystem::remove(path("tokenizer.txt"));

  const std::string run = fuzz::directory().path("run");
  fuzz::accepts([&] { load_trained_model(run); });
  fuzz::accepts([] { TrainingLog(path("log.tsv"), 1); });
  Run loaded;
  if (!fuzz::accepts([&] { loaded = resume_run(run); })) return 0;
  // Only what sizes, not what probabilities a model has, may keep it from one more step.
  repair_run(loaded);
  const std::string tokenizer = loaded.tokenizer.text();
  save_run(loaded, false);
  loaded.lock.reset();
  Run again = resume_run(run);
  fuzz::require(again.trainer.step == loaded.trainer.step, "a run is saved as it was read");
  fuzz::require(again.tokenizer.text() == tokenizer, "the vocabulary with it");
  fuzz::require(again.model->facts.settings == loaded.model->facts.settings,
                "and the configuration");
  if (again.tokenizer.size() == find_task("copy").tokenizer.size()) {
    fuzz::accepts([&] { take_step(again); });
  }
  return 0;
}
