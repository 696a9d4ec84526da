#include "training/run_directory.h"

#include <filesystem>
#include <utility>
#include <vector>

#include "base/check.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"
#include "training/model_file.h"
#include "training/training_log.h"

namespace attn {

namespace {

namespace fs = std::filesystem;

std::string in(const std::string& directory, const std::string& file) {
  return (fs::path(directory) / file).string();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

template <class Whole>
Whole whole_of(const Metadata& metadata, const std::string& key, const std::string& where) {
  const std::string& spelt = value_of(metadata, key, where);
  try {
    const Whole value = parse_number<Whole>(spelt, "a whole number");
    ATTN_CHECK(value >= 0, "expected a whole number that is not negative");
    return value;
  } catch (const Error& error) {
    fail(where, ": '", key, "' in the metadata: ", error.what());
  }
}

// What decodes: the mean of the weights if there is one, else the weights.
std::vector<NamedTensor> decoding_weights(const SequenceModel& model, const Trainer& trainer) {
  std::vector<NamedTensor> weights = weights_of(model);
  for (NamedTensor& weight : weights) {
    if (!trainer.mean.empty()) weight.tensor = &trainer.mean.at(weight.name);
  }
  return weights;
}

void check_sizes(const SequenceModel& model, const Vocabulary& vocabulary,
                 const std::string& where) {
  const Index source = model.source_vocabulary(), target = model.target_vocabulary();
  ATTN_CHECK(vocabulary.size() == source && vocabulary.size() == target, where, ": ",
             vocabulary.size(), " tokens, but the model has ", source, " source and ", target,
             " target tokens");
}

std::string checkpoint_path(const std::string& directory, Index step) {
  const std::string digits = std::to_string(step);
  const std::string zeros(digits.size() < 8 ? 8 - digits.size() : 0, '0');
  return in(directory, "checkpoints/step-" + zeros + digits + ".safetensors");
}

// Writes what can be made again from training.safetensors; with `checkpoint`, also the step's copy.
void write_derived(const std::string& directory, const SequenceModel& model, const Trainer& trainer,
                   const Vocabulary& vocabulary, bool checkpoint) {
  const std::vector<NamedTensor> weights = decoding_weights(model, trainer);
  const Metadata metadata = model_metadata(model);
  write_safetensors(in(directory, "model.safetensors"), weights, metadata);
  write_file(in(directory, "tokenizer.txt"), tokenizer_text(vocabulary));
  if (!checkpoint) return;
  make_directories(in(directory, "checkpoints"));
  write_safetensors(checkpoint_path(directory, trainer.step), weights, metadata);
}

void make_new_directory(const std::string& directory) {
  for (const char* file : {"training.safetensors", "model.safetensors"}) {
    ATTN_CHECK(!exists(in(directory, file)), directory, " holds a run already; continue it with ",
               "--resume ", directory, ", remove it, or choose another place with --out");
  }
  make_directories(directory);
}

}  // namespace

void create_run(const std::string& directory) {
  make_new_directory(directory);
  cut_log(in(directory, "log.tsv"), 0);
}

void create_model(const std::string& directory, const SequenceModel& model,
                  const std::optional<Vocabulary>& vocabulary) {
  make_new_directory(directory);
  if (vocabulary) write_file(in(directory, "tokenizer.txt"), tokenizer_text(*vocabulary));
  write_safetensors(in(directory, "model.safetensors"), weights_of(model), model_metadata(model));
}

void save_run(const std::string& directory, const SequenceModel& model, const Trainer& trainer,
              const Vocabulary& vocabulary, bool checkpoint) {
  std::vector<NamedTensor> tensors = weights_of(model);
  for (const auto& [name, moments] : trainer.adam.moments) {
    tensors.push_back({"adam.m." + name, &moments.m});
    tensors.push_back({"adam.v." + name, &moments.v});
  }
  for (const auto& [name, mean] : trainer.mean) tensors.push_back({"mean." + name, &mean});
  Metadata state = model_metadata(model);
  put(state, "training.", to_settings(trainer.settings));
  state["state.step"] = std::to_string(trainer.step);
  state["state.next_batch"] = std::to_string(trainer.next_batch);
  state["state.solved"] = std::to_string(trainer.solved);
  state["tokenizer"] = tokenizer_text(vocabulary);

  write_safetensors(in(directory, "training.safetensors"), tensors, state);
  write_derived(directory, model, trainer, vocabulary, checkpoint);
}

namespace {

// The run as training.safetensors holds it.
LoadedRun read_training(const std::string& path) {
  TensorFile file = read_safetensors(path);
  LoadedRun run;
  run.model = take_model(file, path);
  run.trainer.settings = training_settings(take(file.metadata, "training."), path);
  run.trainer.step = whole_of<Index>(file.metadata, "state.step", path);
  run.trainer.next_batch = whole_of<std::uint64_t>(file.metadata, "state.next_batch", path);
  run.trainer.solved = whole_of<Index>(file.metadata, "state.solved", path);
  run.vocabulary = parse_tokenizer(value_of(file.metadata, "tokenizer", path), path);
  check_sizes(*run.model, run.vocabulary, path);
  if (run.trainer.step > 0) {
    run.model->visit_parameters([&](const std::string& name, Parameter& p) {
      Adam::Moments& moments = run.trainer.adam.moments[name];
      moments.m = take_tensor(file, "adam.m." + name, p.value.shape(), path);
      moments.v = take_tensor(file, "adam.v." + name, p.value.shape(), path);
      if (run.trainer.settings.averaging == 0) return;
      run.trainer.mean[name] = take_tensor(file, "mean." + name, p.value.shape(), path);
    });
  }
  check_all_taken(file, path);
  return run;
}

}  // namespace

std::unique_ptr<SequenceModel> load_model(const std::string& directory) {
  ATTN_CHECK(exists(directory), directory, ": there is no such directory");
  const std::string path = in(directory, "model.safetensors");
  const std::string training = in(directory, "training.safetensors");
  if (!exists(path) && exists(training)) {
    LoadedRun run = read_training(training);
    exchange_mean(*run.model, run.trainer);
    return std::move(run.model);
  }
  TensorFile file = read_safetensors(path);
  auto model = take_model(file, path);
  check_all_taken(file, path);
  return model;
}

std::unique_ptr<Transformer> load_transformer(const std::string& directory) {
  std::unique_ptr<SequenceModel> model = load_model(directory);
  ATTN_CHECK(dynamic_cast<Transformer*>(model.get()) != nullptr, directory, ": not a Transformer");
  return std::unique_ptr<Transformer>(dynamic_cast<Transformer*>(model.release()));
}

Vocabulary load_vocabulary(const std::string& directory, const SequenceModel& model) {
  const Index source = model.source_vocabulary(), target = model.target_vocabulary();
  ATTN_CHECK(source == target, directory, ": the model has ", source, " source and ", target,
             " target tokens; words can be read and written only with one vocabulary for both ",
             "(forward and inspect do without)");
  std::string path = in(directory, "tokenizer.txt");
  const std::string training = in(directory, "training.safetensors");
  std::string contents;
  if (!exists(path) && exists(training)) {
    path = training;
    contents = value_of(read_safetensors(path).metadata, "tokenizer", path);
  } else {
    contents = read_file(path);
  }
  Vocabulary vocabulary = parse_tokenizer(contents, path);
  check_sizes(model, vocabulary, path);
  return vocabulary;
}

TrainedModel load_trained_model(const std::string& directory) {
  TrainedModel trained;
  trained.model = load_model(directory);
  trained.vocabulary = load_vocabulary(directory, *trained.model);
  return trained;
}

LoadedRun resume_run(const std::string& directory) {
  const std::string path = in(directory, "training.safetensors");
  ATTN_CHECK(exists(path), "there is nothing to resume in ", directory, ": ", path, " is missing");
  LoadedRun run = read_training(path);

  // A kill between two files may have left the others older than this one, or not there.
  const Index step = run.trainer.step, every = run.trainer.settings.save_every;
  const bool checkpoint = every > 0 && step > 0 && step % every == 0;
  write_derived(directory, *run.model, run.trainer, run.vocabulary,
                checkpoint && !exists(checkpoint_path(directory, step)));
  cut_log(in(directory, "log.tsv"), step);
  return run;
}

}  // namespace attn
