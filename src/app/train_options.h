// From the options of `train` to a configuration and settings.
#pragma once

#include <optional>
#include <string>

#include "app/options.h"
#include "base/settings.h"
#include "training/data.h"
#include "training/defaults.h"

namespace attn::app {

// The options of `train`, for parsing and help.
std::vector<OptionGroup> train_option_groups();

constexpr Index kLargestVocabulary = 1 << 24;

// A new run.
struct Plan {
  Settings model;  // the vocabularies are set later, from the data
  Index longest_sentence = kAnyLength;
  TrainingSettings settings;
  std::optional<Tokenizer> tokenizer;  // that of a file, or none: then one is learned,
  NewTokenizer fresh;                  // which is to be like this
  std::string directory;
};
// Throws UsageError for an impossible model or training, and for options that the task does not
// have.
Plan plan_training(const Arguments& arguments);

// For --resume: throws UsageError for an option that is fixed by the run, and for a second word.
void check_resume_options(const Arguments& arguments);
// For --resume: the places to which the files of the run have moved. Throws UsageError for a file
// that the run does not have, and Error, naming the options, for files that are not there any more.
void move_files(const Arguments& arguments, TrainingSettings& settings);

// --threads, if it was given.
void use_threads(const Arguments& arguments);

}  // namespace attn::app
