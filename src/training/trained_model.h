// A trained model to decode with. `path` is a run's directory (training/run_directory.h), or one of
// its files of weights, such as a checkpoint. `plan` knows the architectures that can be loaded
// (model/model_plan.h).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "model/model_plan.h"
#include "storage/safetensors.h"
#include "text/tokenizer.h"

namespace attn {

// The file of its weights: model.safetensors of a run.
std::string weights_path(const std::string& path);
// The file of its vocabulary, be it there or not: tokenizer.txt of the run; for a file, next to it,
// or in the run that it is a checkpoint of.
std::string tokenizer_path(const std::string& path);

// The model of a run, from model.safetensors, and if asked for that file's metadata: read again,
// they might be another's. Throws Error naming the file and what is wrong.
std::unique_ptr<SequenceModel> load_model(const std::string& path,
                                          PlanModel* plan = plan_transformer,
                                          Metadata* metadata = nullptr);
struct TrainedModel {
  std::unique_ptr<SequenceModel> model;
  Tokenizer tokenizer;
  Index context = 0;  // as context_of returns it
};
// The same with its vocabulary, from tokenizer_path. Throws Error also if that is not the one the
// model was trained with, or if the model has separate vocabularies for sources and targets.
TrainedModel load_trained_model(const std::string& path, PlanModel* plan = plan_transformer);

// In average.cpp: the mean of the models in these files, weight by weight (§6.1). Throws Error also
// if one has another configuration, tokenizer or context than the first.
TrainedModel load_average(const std::vector<std::string>& paths,
                          PlanModel* plan = plan_transformer);

// What the file of a model says of it besides its configuration: a hash of the tokenizer that it
// was trained with and, of a language model, its context.
Metadata trained_metadata(const SequenceModel& model, const Tokenizer& tokenizer, Index context);
// Of a language model, the tokens that it reads at a time; 0 if it is of pairs of sentences. Throws
// Error, which begins with `where`, if the metadata have no such number.
Index context_of(const Metadata& metadata, const std::string& where);
// Whether the metadata name no other tokenizer.
bool may_go_with(const Tokenizer& tokenizer, const Metadata& metadata);
// Throws Error, which begins with `where`, unless the tokenizer has as many tokens as the model's
// vocabularies.
void check_vocabulary(const SequenceModel& model, const Tokenizer& tokenizer,
                      const std::string& where);

}  // namespace attn
