// A model's file knows its tokenizer by a hash, so another one is noticed.
#include "training/trained_model.h"

#include <filesystem>
#include <utility>

#include "base/check.h"
#include "base/number.h"
#include "base/random.h"
#include "model/model_file.h"
#include "storage/atomic_file.h"
#include "text/corpus.h"

namespace attn {

namespace fs = std::filesystem;

void check_vocabulary(const SequenceModel& model, const Tokenizer& tokenizer,
                      const std::string& where) {
  const Index source = model.facts.source_vocabulary, target = model.facts.target_vocabulary;
  ATTN_CHECK(tokenizer.size() == source && tokenizer.size() == target, where, ": ",
             tokenizer.size(), " tokens, but the model has ", source, " source and ", target,
             " target tokens");
}

std::string weights_path(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? (fs::path(path) / "model.safetensors").string() : path;
}

std::string tokenizer_path(const std::string& path) {
  std::error_code ignored;
  const fs::path beside = fs::absolute(path, ignored).parent_path();
  const fs::path folder = fs::is_directory(path, ignored) ? fs::path(path) : beside;
  const std::string file = (folder / "tokenizer.txt").string();
  if (exists(file)) return file;
  // As it was typed, and where its links lead: link/.. is not the folder that the link is in.
  for (const fs::path& checkpoints : {folder, fs::weakly_canonical(folder, ignored)}) {
    const std::string of_run = (checkpoints.parent_path() / "tokenizer.txt").string();
    if (checkpoints.filename() == "checkpoints" && exists(of_run)) return of_run;
  }
  return file;
}

Metadata trained_metadata(const SequenceModel& model, const Tokenizer& tokenizer, Index context) {
  Metadata metadata = model_metadata(model);
  metadata["tokenizer_hash"] = std::to_string(hash(tokenizer.text()));
  if (context > 0) metadata["context"] = std::to_string(context);
  return metadata;
}

std::unique_ptr<SequenceModel> load_model(const std::string& path, PlanModel* plan,
                                          Metadata* metadata) {
  ATTN_CHECK(!is_missing(path), path, ": there is no such directory or file");
  const std::string file_path = weights_path(path);
  ATTN_CHECK(!is_missing(file_path), "there is no model in ", path, ": ", file_path,
             " is missing; name the directory of a run, or a .safetensors file",
             exists((fs::path(path) / "training.safetensors").string())
                 ? "; `resume` makes it again"
                 : "");
  const std::string name = fs::path(file_path).filename().string();
  ATTN_CHECK(target_of(name) == name, file_path, " will become ", target_of(name),
             ", unless the process that writes it was killed; name that file");
  TensorFile file = read_safetensors(file_path);
  ATTN_CHECK(file.metadata.count("state.step") == 0, file_path, " is the state of a training; ",
             "name its directory, or model.safetensors in it");
  if (metadata != nullptr) *metadata = file.metadata;
  auto model = take_model(file, file_path, plan);
  check_all_taken(file, file_path);
  return model;
}

bool may_go_with(const Tokenizer& tokenizer, const Metadata& metadata) {
  const auto trained_with = metadata.find("tokenizer_hash");
  return trained_with == metadata.end() ||
         trained_with->second == std::to_string(hash(tokenizer.text()));
}

static Tokenizer tokenizer_of(const std::string& path, const SequenceModel& model,
                              const Metadata& metadata) {
  const Index source = model.facts.source_vocabulary, target = model.facts.target_vocabulary;
  ATTN_CHECK(source == target, path, ": the model has ", source, " source and ", target,
             " target tokens; words can be read and written only with one vocabulary for both ",
             "(forward and inspect do without)");
  const std::string weights = weights_path(path), file = tokenizer_path(path);
  ATTN_CHECK(exists(file), "cannot read ", file, ", the vocabulary of ", path,
             ": No such file or directory; copy it there from the run");
  const Tokenizer tokenizer = Tokenizer::parse(read_file(file), file);
  check_vocabulary(model, tokenizer, file);
  ATTN_CHECK(may_go_with(tokenizer, metadata), file, " is not the tokenizer that ", weights,
             " was trained with, or it has changed since; put a copy of that one there");
  return tokenizer;
}

Index context_of(const Metadata& metadata, const std::string& where) {
  if (metadata.count("context") == 0) return 0;
  const std::string& given = metadata.at("context");
  const std::optional<Index> context = number_in<Index>(given);
  ATTN_CHECK(context && *context > 1 && *context <= kLongestSentence, where, ": a context of ",
             given, " in the metadata, expected 2 to ", kLongestSentence);
  return *context;
}

TrainedModel load_trained_model(const std::string& path, PlanModel* plan) {
  TrainedModel trained;
  Metadata metadata;
  trained.model = load_model(path, plan, &metadata);
  trained.context = context_of(metadata, path);
  trained.tokenizer = tokenizer_of(path, *trained.model, metadata);
  return trained;
}

}  // namespace attn
