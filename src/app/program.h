// What a program is made of. Two are: `attention` (app/commands.cpp) and `attention-lab`, the same
// with more (lab/commands); each main passes its own to run_program, and nothing is global.
#pragma once

#include <string>
#include <vector>

#include "app/defaults.h"
#include "tasks/task.h"
#include "training/run_directory.h"

namespace attn::app {

class Arguments;
using RunCommand = int(const Arguments& arguments);  // returns the exit status

struct Option {
  std::string name;             // "d-model", without the dashes
  std::string placeholder;      // what help calls its value, "N"; empty for a flag
  std::string by_default = {};  // as help shows it; empty: there is none
  bool required = false;
  std::vector<std::string> subjects = {};  // of the command's, those that take it; empty: all
};

constexpr std::size_t kAnyNumber = std::size_t{1} << 30;  // of words

struct Command {
  std::string name;
  std::string help;  // what it does, and its options, from which `options` follow
  RunCommand* run;
  std::vector<Option> options;
  std::size_t most_words = 0;  // how many words it takes besides options
  // Of `train copy` the subject is "copy": what kind of thing that is, "task", and all there are.
  std::string subject_kind = {};
  std::vector<std::string> subjects = {};
};

// A new run, before its data are read.
struct RunPlan {
  Settings model;  // without vocabularies, which the data have
  TrainingSettings training;
  TokenizerPlan tokenizer;
};

// What makes the model and the data of a run from its settings. A program that has further models
// or data has functions of its own, which call these for the rest.
struct Makers {
  PlanModel* model = plan_transformer;
  MakeData* data = training_data;
};

// What `train` can learn: a task, or files.
struct Subject {
  std::string name;                          // "copy"
  Task (*task)() = nullptr;                  // null: files
  std::string architecture = "transformer";  // unless --architecture says otherwise
  Index vocabulary = 4000;                   // of byte pairs that are learned
  double minutes = 0;  // the most that a run takes without --steps and --minutes; 0: no limit
  // Which options go together; then, what else follows from them. Null: nothing.
  void (*check)(const Arguments& arguments) = nullptr;
  void (*complete)(const Arguments& arguments, RunPlan& plan) = nullptr;
  // Of files: what was found in them; and what to type next after the program's name, where model
  // is " --model DIR".
  std::string (*summary)(const TrainingSettings& settings, const DataReport& report) = nullptr;
  std::vector<std::string> (*next)(const TrainingSettings& settings,
                                   const std::string& model) = nullptr;
};

struct Program {
  std::string name;               // "attention"
  std::vector<Command> commands;  // in the order in which help lists them
  std::vector<Subject> subjects;  // likewise
  Architectures architectures;
  Makers makers;
  Defaults (*defaults)(const std::string& task) = defaults_of;
  // Commands, tasks, architectures and options that attention-lab has and this does not.
  std::vector<std::string> elsewhere = {};
};

// Throws Error if `train` does not learn this.
const Subject& find_subject(const Program& program, const std::string& name);

// How a message about an unknown word ends: which program has it, or which word was meant.
std::string hint(const Program& program, const std::string& word,
                 const std::vector<std::string>& known, const std::string& prefix = "");

// Finds the command and runs it. Turns what went wrong into a message and an exit status: 1 for
// what is wrong with files or data, 2 for what is wrong with the command line; 141, without a
// message, if standard output is closed.
int run_program(const Program& program, int argc, char** argv);

}  // namespace attn::app
