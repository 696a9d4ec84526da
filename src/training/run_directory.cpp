// All state is in training.safetensors; resuming makes the other files from it again.
#include "training/run_directory.h"

#include <filesystem>
#include <map>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/format.h"
#include "base/number.h"
#include "base/platform.h"
#include "model/model_file.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"

namespace attn {

namespace {

namespace fs = std::filesystem;

std::string in(const std::string& directory, const std::string& file) {
  return (fs::path(directory) / file).string();
}

template <class Number>
void read_number(const Metadata& metadata, const std::string& key, const std::string& where,
                 Number& number) {
  const std::optional<Number> value = number_in<Number>(value_of(metadata, key, where));
  ATTN_CHECK(value && *value >= 0, where, ": '", key, "' in the metadata must be a ",
             std::is_integral_v<Number> ? "whole " : "", "number that is not negative");
  number = *value;
}

// The numbers of a trainer's state, by their names in training.safetensors.
template <class AnyTrainer, class Visit>
void visit_state(AnyTrainer& trainer, const Visit& visit) {
  visit("state.step", trainer.step);
  visit("state.next_batch", trainer.next_batch);
  visit("state.validation_due", trainer.validation_due);
  visit("state.solved", trainer.solved);
  visit("state.best_step", trainer.best.step);
  visit("state.best_perplexity", trainer.best.perplexity);
  visit("state.validations_since_best", trainer.best.since);
  visit("state.last_perplexity", trainer.last_perplexity);
}

// These weights or, if there are any, the better ones of the same names.
std::vector<NamedTensor> or_better(std::vector<NamedTensor> weights,
                                   const std::map<std::string, Tensor>& better) {
  for (NamedTensor& weight : weights) {
    if (!better.empty()) weight.tensor = &better.at(weight.name);
  }
  return weights;
}

std::string checkpoint_path(const std::string& directory, Index step) {
  const std::string digits = std::to_string(step);
  const std::string zeros(digits.size() < 8 ? 8 - digits.size() : 0, '0');
  return in(directory, "checkpoints/step-" + zeros + digits + ".safetensors");
}

Metadata metadata_of(const Run& run) {
  const TrainingSettings& settings = run.trainer.settings;
  return trained_metadata(*run.model, run.tokenizer, settings.text.empty() ? 0 : settings.context);
}

// Writes what can be made again from training.safetensors; with `checkpoint`, also the step's copy.
void write_derived(const Run& run, bool checkpoint) {
  const Metadata metadata = metadata_of(run);
  // The last weights, or their mean; what decodes are the best ones, if they were kept.
  const std::vector<NamedTensor> last = or_better(weights_of(*run.model), run.trainer.mean);
  const auto check = [&] { check_place(run); };
  write_with_checksum(
      in(run.directory, "model.safetensors"),
      run.trainer.decodes_with_best() ? or_better(last, run.trainer.best.weights) : last, metadata,
      check);
  write_file(in(run.directory, "tokenizer.txt"), {run.tokenizer.text()}, check);
  if (!checkpoint) return;
  check_place(run);
  make_directories(in(run.directory, "checkpoints"));
  write_with_checksum(checkpoint_path(run.directory, run.trainer.step), last, metadata, check);
}

// Throws Error unless the directory is missing or empty, or holds only what a process leaves that
// is killed before its first save (of a model, that may be its tokenizer).
void check_free(const std::string& directory, const std::string& advice,
                const std::string& tokenizer) {
  const char* const otherwise = "remove it, or choose another place with `out`";
  ATTN_CHECK(!exists(in(directory, "training.safetensors")), directory, " holds a run already; ",
             advice, otherwise);
  ATTN_CHECK(!exists(in(directory, "model.safetensors")), directory, " holds a model already; ",
             otherwise);
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    const std::string file = target_of(name);
    const bool was_begun = file != name
                               ? kRunFiles.count(file) > 0
                               : file == "lock" || (file == "tokenizer.txt" && !tokenizer.empty() &&
                                                    read_file(entry->path().string()) == tokenizer);
    // A run makes its lock first: now that a file of it has been seen, the lock must be there.
    ATTN_CHECK(was_begun && exists(in(directory, "lock")), directory,
               " is neither empty nor a run: ", name,
               " is in it; choose a new or an empty directory with `out`");
  }
  ATTN_CHECK(!error || error == std::errc::no_such_file_or_directory ||
                 error == std::errc::not_a_directory,
             "cannot read ", directory, ": ", error.message());
}

RunLock lock_run(const std::string& directory) {
  RunLock lock = lock_file(in(directory, "lock"));
  ATTN_CHECK(
      lock != nullptr, "another process trains in ", directory,
      ", or in a copy of it by hard links; stop it or wait for its end, or use another directory");
  return lock;
}

RunLock make_new_directory(const std::string& directory, const std::string& advice,
                           const std::string& tokenizer = "") {
  check_free(directory, advice, tokenizer);
  make_directories(directory);
  RunLock lock = lock_run(directory);
  check_free(directory, advice, tokenizer);  // another process may have made a run since
  return lock;
}

// The run as training.safetensors holds it.
Run read_training(const std::string& path, PlanModel* plan) {
  TensorFile file = read_safetensors(path);
  Run run;
  run.model = take_model(file, path, plan);
  run.tokenizer = Tokenizer::parse(value_of(file.metadata, "tokenizer", path), path);
  check_vocabulary(*run.model, run.tokenizer, path);

  Trainer& trainer = run.trainer;
  trainer.settings = from_settings<TrainingSettings>(take(file.metadata, "training."), path);
  visit_state(trainer, [&](const char* name, auto& number) {
    read_number(file.metadata, name, path, number);
  });
  const bool keeps_best = trainer.best.step > 0 && !trainer.settings.keep_last;
  read_parameters(*run.model, [&](const std::string& name, const Parameter& p) {
    const auto tensor = [&](const char* kind) {
      return take_tensor(file, kind + name, p.value.shape(), path);
    };
    if (keeps_best) trainer.best.weights[name] = tensor("best.");
    if (trainer.step == 0) return;
    trainer.adam.moments[name] = {tensor("adam.m."), tensor("adam.v.")};
    if (trainer.settings.averaging > 0) trainer.mean[name] = tensor("mean.");
  });
  check_all_taken(file, path);
  return run;
}

}  // namespace

std::string without_links(const std::string& directory) {
  fs::path place = directory;
  if (!place.has_filename()) place = place.parent_path();  // latest/
  std::error_code ignored;
  if (!fs::is_symlink(place, ignored)) return directory;
  return without_links((place.parent_path() / fs::read_symlink(place)).string());
}

RunLock create_run(const std::string& directory) {
  return make_new_directory(directory,
                            text("continue it with `resume` ", shell_word(directory), ", "));
}

void create_model(const std::string& directory, const SequenceModel& model,
                  const std::optional<Tokenizer>& tokenizer, Index context) {
  const std::string words = tokenizer ? tokenizer->text() : "";
  const RunLock lock = make_new_directory(directory, "", words);
  if (tokenizer) write_file(in(directory, "tokenizer.txt"), words);
  write_with_checksum(
      in(directory, "model.safetensors"), weights_of(model),
      tokenizer ? trained_metadata(model, *tokenizer, context) : model_metadata(model));
}

void check_place(const Run& run) {
  ATTN_CHECK(run.lock == nullptr || platform::is_still_at(run.lock, in(run.directory, "lock")),
             run.directory, " was moved or replaced, or its lock removed, since training began; ",
             "what was trained since the last save is not saved");
}

void save_run(const Run& run, bool checkpoint) {
  check_place(run);  // and again before each file appears
  const Trainer& trainer = run.trainer;
  std::vector<NamedTensor> tensors = weights_of(*run.model);
  for (const auto& [name, moments] : trainer.adam.moments) {
    tensors.push_back({"adam.m." + name, &moments.m});
    tensors.push_back({"adam.v." + name, &moments.v});
  }
  for (const auto& [name, mean] : trainer.mean) tensors.push_back({"mean." + name, &mean});
  for (const auto& [name, best] : trainer.best.weights) tensors.push_back({"best." + name, &best});
  // What is refused on reading is not written.
  for (const NamedTensor& tensor : tensors) {
    ATTN_CHECK_CONVERGED(is_finite(*tensor.tensor), "'", tensor.name, "' holds numbers that are ",
                         "not finite at step ", trainer.step, ": training has diverged");
  }
  Metadata state = metadata_of(run);
  put(state, "training.", to_settings(trainer.settings));
  visit_state(trainer, [&](const char* name, auto number) { state[name] = shortest(number); });
  state["tokenizer"] = run.tokenizer.text();

  write_with_checksum(in(run.directory, "training.safetensors"), tensors, state,
                      [&] { check_place(run); });
  write_derived(run, checkpoint);
}

Run resume_run(const std::string& directory, PlanModel* plan) {
  const std::string path = in(directory, "training.safetensors");
  std::error_code ignored;
  ATTN_CHECK(!fs::is_regular_file(directory, ignored), directory,
             " is a file; to resume a run, name its directory");
  ATTN_CHECK(!is_missing(path), "there is nothing to resume in ", directory, ": ", path,
             " is missing");
  const RunLock lock = lock_run(directory);
  Run run = read_training(path, plan);
  run.directory = without_links(directory);
  run.lock = lock;
  return run;
}

void repair_run(const Run& run) {
  check_place(run);
  const Index step = run.trainer.step, every = run.trainer.settings.save_every;
  const bool checkpoint = every > 0 && step > 0 && step % every == 0;
  written_path(in(run.directory, "training.safetensors"));  // throws now, not at the first save
  for (const std::string& file : kRunFiles) remove_leftovers(run.directory, file);
  // Of steps that are never written again, too.
  remove_leftovers(in(run.directory, "checkpoints"));
  write_derived(run, checkpoint && !exists(checkpoint_path(run.directory, step)));
}

}  // namespace attn
