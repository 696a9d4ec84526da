#include "training/run_directory.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>
#include <vector>

#include "base/check.h"
#include "model/transformer.h"
#include "storage/atomic_file.h"
#include "storage/safetensors.h"

namespace attn {
inline namespace ATTN_PRECISION {

namespace {

namespace fs = std::filesystem;

constexpr const char* kFormat = "attention 1";
constexpr const char* kLogHeader = "step\tloss\tperplexity\tlearning_rate\ttokens_per_second\n";

std::string in(const std::string& directory, const char* file) {
  return (fs::path(directory) / file).string();
}

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

// Metadata keys are "config.d_model", "training.seed", ….
void put(Metadata& metadata, const std::string& prefix, const Settings& settings) {
  for (const auto& [name, value] : settings) metadata[prefix + name] = value;
}

Settings take(const Metadata& metadata, const std::string& prefix) {
  Settings settings;
  for (const auto& [name, value] : metadata) {
    if (name.compare(0, prefix.size(), prefix) == 0) settings[name.substr(prefix.size())] = value;
  }
  return settings;
}

const std::string& value_of(const Metadata& metadata, const std::string& key,
                            const std::string& where) {
  const auto found = metadata.find(key);
  ATTN_CHECK(found != metadata.end(), where, ": the metadata lacks '", key,
             "'; is this a file of a run of this program?");
  return found->second;
}

template <class Whole>
Whole whole_of(const Metadata& metadata, const std::string& key, const std::string& where) {
  try {
    const Whole value = parse_number<Whole>(value_of(metadata, key, where), "a whole number");
    ATTN_CHECK(value >= 0, "expected a whole number that is not negative");
    return value;
  } catch (const Error& error) {
    fail(where, ": '", key, "' in the metadata: ", error.what());
  }
}

std::vector<NamedTensor> weights_of(SequenceModel& model) {
  std::vector<NamedTensor> weights;
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    ATTN_CHECK(is_finite(p.value), "the weights '", name,
               "' are not finite numbers: training has diverged; what was saved before is kept");
    weights.push_back({name, &p.value});
  });
  return weights;
}

// What decodes: the mean of the weights if there is one, else the weights.
std::vector<NamedTensor> decoding_weights(SequenceModel& model, const Trainer& trainer) {
  std::vector<NamedTensor> weights = weights_of(model);
  for (NamedTensor& weight : weights) {
    if (!trainer.mean.empty()) weight.tensor = &trainer.mean.at(weight.name);
  }
  return weights;
}

Metadata model_metadata(const SequenceModel& model) {
  Metadata metadata{{"format", kFormat}};
  put(metadata, "config.", to_settings(model.config()));
  return metadata;
}

// Moves the tensor of that name out of the file.
Tensor take_tensor(TensorFile& file, const std::string& name, const Shape& shape,
                   const std::string& where) {
  const auto found = file.tensors.find(name);
  ATTN_CHECK(found != file.tensors.end(), where, ": the tensor '", name, "' is missing");
  ATTN_CHECK(found->second.shape() == shape, where, ": the tensor '", name, "' has the shape ",
             to_string(found->second.shape()), ", expected ", to_string(shape));
  Tensor tensor = std::move(found->second);
  file.tensors.erase(found);
  return tensor;
}

void check_all_taken(const TensorFile& file, const std::string& where) {
  ATTN_CHECK(file.tensors.empty(), where, ": the tensor '", file.tensors.begin()->first,
             "' belongs to no part of the model");
}

// A model of the configuration in the metadata, with the weights in the file.
std::unique_ptr<SequenceModel> take_model(TensorFile& file, const std::string& where) {
  const std::string& format = value_of(file.metadata, "format", where);
  ATTN_CHECK(format == kFormat, where, ": the format is '", format, "', expected '", kFormat, "'");
  const Config config = config_from_settings(take(file.metadata, "config."), where);
  // A damaged configuration must not take memory for weights that the file cannot hold. (If only
  // some are missing, take_tensor says which.) Nor for layers: even one of few weights takes some
  // kilobytes.
  Index stored = 0;
  for (const auto& [name, tensor] : file.tensors) stored += tensor.elements();
  ATTN_CHECK(parameter_count(config) <= 2 * stored + 1000, where, ": the configuration asks for ",
             parameter_count(config), " weights, but the file has ", stored, " numbers");
  auto model = make_model(config);
  model->visit_parameters([&](const std::string& name, Parameter& p) {
    p.value = take_tensor(file, name, p.value.shape(), where);
    ATTN_CHECK(is_finite(p.value), where, ": '", name, "' holds numbers that are not finite");
  });
  return model;
}

void check_sizes(const SequenceModel& model, const Vocabulary& vocabulary,
                 const std::string& where) {
  const Config& c = model.config();
  ATTN_CHECK(vocabulary.size() == c.source_vocabulary && vocabulary.size() == c.target_vocabulary,
             where, ": ", vocabulary.size(), " tokens, but the model has ", c.source_vocabulary,
             " source and ", c.target_vocabulary, " target tokens");
}

std::string checkpoint_name(Index step) {
  char name[64];
  std::snprintf(name, sizeof name, "checkpoints/step-%08lld.safetensors",
                static_cast<long long>(step));
  return name;
}

void write_checkpoint(const std::string& directory, Index step,
                      const std::vector<NamedTensor>& weights, const Metadata& metadata) {
  make_directories(in(directory, "checkpoints"));
  write_safetensors(in(directory, checkpoint_name(step).c_str()), weights, metadata);
}

// Drops lines of log.tsv that are later than the step, and a last line that was cut off.
void cut_log(const std::string& directory, Index step) {
  const std::string path = in(directory, "log.tsv");
  if (!exists(path)) return write_file(path, kLogHeader);
  const std::string old = read_file(path);
  std::string kept = kLogHeader;
  std::size_t begin = old.find('\n');
  while (begin != std::string::npos) {
    const std::size_t end = old.find('\n', ++begin);
    if (end == std::string::npos) break;
    // (sscanf would look for the end of all that is left, line after line.)
    Index line_step = 0;
    const auto number = std::from_chars(old.data() + begin, old.data() + end, line_step);
    if (number.ec != std::errc() || line_step > step) break;
    kept.append(old, begin, end + 1 - begin);
    begin = end;
  }
  write_file(path, kept);
}

}  // namespace

namespace {
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
  write_file(in(directory, "log.tsv"), kLogHeader);
}

void create_model(const std::string& directory, SequenceModel& model,
                  const std::optional<Vocabulary>& vocabulary) {
  make_new_directory(directory);
  if (vocabulary) write_file(in(directory, "tokenizer.txt"), tokenizer_text(*vocabulary));
  write_safetensors(in(directory, "model.safetensors"), weights_of(model), model_metadata(model));
}

void save_run(const std::string& directory, SequenceModel& model, const Trainer& trainer,
              const Vocabulary& vocabulary, bool checkpoint) {
  const std::vector<NamedTensor> weights = decoding_weights(model, trainer);
  const Metadata metadata = model_metadata(model);

  std::vector<NamedTensor> tensors = weights_of(model);
  for (const auto& [name, moments] : trainer.adam.moments) {
    tensors.push_back({"adam.m." + name, &moments.m});
    tensors.push_back({"adam.v." + name, &moments.v});
  }
  for (const auto& [name, mean] : trainer.mean) tensors.push_back({"mean." + name, &mean});
  Metadata state = metadata;
  put(state, "training.", to_settings(trainer.settings));
  state["state.step"] = std::to_string(trainer.step);
  state["state.next_batch"] = std::to_string(trainer.next_batch);
  state["state.solved"] = std::to_string(trainer.solved);
  state["tokenizer"] = tokenizer_text(vocabulary);

  write_safetensors(in(directory, "training.safetensors"), tensors, state);
  write_safetensors(in(directory, "model.safetensors"), weights, metadata);
  write_file(in(directory, "tokenizer.txt"), tokenizer_text(vocabulary));
  if (checkpoint) write_checkpoint(directory, trainer.step, weights, metadata);
}

std::unique_ptr<SequenceModel> load_model(const std::string& directory) {
  ATTN_CHECK(exists(directory), directory, ": there is no such directory");
  std::string path = in(directory, "model.safetensors");
  const std::string training = in(directory, "training.safetensors");
  const bool from_training = !exists(path) && exists(training);
  if (from_training) path = training;
  TensorFile file = read_safetensors(path);
  auto model = take_model(file, path);
  if (from_training) {
    model->visit_parameters([&](const std::string& name, Parameter& p) {
      if (file.tensors.count("mean." + name) == 0) return;
      p.value = take_tensor(file, "mean." + name, p.value.shape(), path);
    });
  } else {
    check_all_taken(file, path);
  }
  return model;
}

Vocabulary load_vocabulary(const std::string& directory, const SequenceModel& model) {
  const Config& config = model.config();
  ATTN_CHECK(config.source_vocabulary == config.target_vocabulary, directory, ": the model has ",
             config.source_vocabulary, " source and ", config.target_vocabulary,
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

LoadedRun resume_run(const std::string& directory) {
  const std::string path = in(directory, "training.safetensors");
  ATTN_CHECK(exists(path), "there is nothing to resume in ", directory, ": ", path, " is missing");
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
      ATTN_CHECK(is_finite(moments.m) && is_finite(moments.v), path, ": the moments of '", name,
                 "' hold numbers that are not finite");
      if (run.trainer.settings.averaging == 0) return;
      Tensor& mean = run.trainer.mean[name];
      mean = take_tensor(file, "mean." + name, p.value.shape(), path);
      ATTN_CHECK(is_finite(mean), path, ": the mean of '", name,
                 "' holds numbers that are not finite");
    });
  }
  check_all_taken(file, path);

  // A kill between two files may have left the others older than this one, or not there.
  const std::vector<NamedTensor> weights = decoding_weights(*run.model, run.trainer);
  const Metadata metadata = model_metadata(*run.model);
  write_safetensors(in(directory, "model.safetensors"), weights, metadata);
  write_file(in(directory, "tokenizer.txt"), tokenizer_text(run.vocabulary));
  const Index step = run.trainer.step, every = run.trainer.settings.save_every;
  if (every > 0 && step > 0 && step % every == 0 &&
      !exists(in(directory, checkpoint_name(step).c_str()))) {
    write_checkpoint(directory, step, weights, metadata);
  }
  cut_log(directory, run.trainer.step);
  return run;
}

TrainingLog::TrainingLog(const std::string& directory) : path_(in(directory, "log.tsv")) {}

void TrainingLog::add(const StepReport& report) {
  sum_.step = report.step;
  sum_.sums += report.sums;
  sum_.source_tokens += report.source_tokens;
  sum_.rate = report.rate;
  sum_.seconds += report.seconds;
}

void TrainingLog::write_line() {
  if (sum_.sums.tokens == 0) return;
  const double tokens = static_cast<double>(sum_.source_tokens + sum_.sums.tokens);
  std::FILE* file = std::fopen(path_.c_str(), "a");
  ATTN_CHECK(file != nullptr, path_, ": cannot be opened for writing: ", std::strerror(errno));
  const bool written = std::fprintf(file, "%lld\t%.6f\t%.4f\t%.6e\t%.0f\n",
                                    static_cast<long long>(sum_.step), sum_.sums.mean_loss(),
                                    sum_.sums.perplexity(), sum_.rate, tokens / sum_.seconds) > 0;
  const bool closed = std::fclose(file) == 0;
  ATTN_CHECK(written && closed, path_, ": cannot be written: ", std::strerror(errno));
  sum_ = {};
}

}  // namespace ATTN_PRECISION
}  // namespace attn
