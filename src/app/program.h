// What a program is made of. Two are: `attention` (program.cpp) and `attention-lab`, the same with
// more (lab/commands); each main passes its own to run_program, and nothing is global.
#pragma once

#include <string>
#include <vector>

#include "app/defaults.h"
#include "tasks/task.h"
#include "training/run_directory.h"

namespace attn::app {

struct Arguments;
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

// What `train` can learn: a task, or files.
struct Subject {
  std::string name;                          // "copy"
  Task (*task)();                            // null: files
  Defaults defaults;                         // of its settings
  std::string architecture = "transformer";  // unless --architecture says otherwise
  Index vocabulary = 4000;                   // of byte pairs that are learned
  double minutes = 0;  // the most that a run takes without --steps and --minutes; 0: no limit
  // Which of its options go together, and what else follows from them. Null: nothing.
  void (*check)(const Arguments& arguments, RunPlan& plan) = nullptr;
};

struct Program {
  std::string name;               // "attention"
  std::vector<Command> commands;  // in the order in which help lists them
  std::vector<Subject> subjects;  // likewise
  Architectures architectures;
  // These make a model, and a run's data, from settings; a program with more kinds wraps them.
  PlanModel* plan_model = plan_transformer;
  MakeData* make_data = training_data;
  // Commands, tasks, architectures and options that attention-lab has and this does not.
  std::vector<std::string> elsewhere = {};
};

// The program `attention`, and its commands, each in the file of its name.
const Program& paper_program();
RunCommand run_train, run_translate, run_evaluate, run_average, run_bleu;
RunCommand run_tokenizer, run_inspect, run_forward, run_trace, run_attend;

// Throws Error if `train` does not learn this.
const Subject& find_subject(const Program& program, const std::string& name);

// How a message about an unknown word ends: which program has it, or which word was meant.
std::string hint(const Program& program, const std::string& word,
                 const std::vector<std::string>& known, const std::string& prefix = "");

// A command with this help, from which its options follow.
void add_command(Program& program, const std::string& name, const std::string& help,
                 RunCommand* run, std::size_t most_words = 0, const std::string& subject_kind = "",
                 const std::vector<std::string>& subjects = {});
// Those of `attention`, for a program whose subjects are known.
void add_paper_commands(Program& program);

// What a command does, examples, and its options with defaults: all, or those most used.
std::string command_help(const Command& command, bool all);

// Runs the command. Returns the exit status: 1, after a message, if something is wrong with files
// or data, 2 with the command line; 141, without one, if standard output is closed.
int run_program(const Program& program, int argc, char** argv);

}  // namespace attn::app
