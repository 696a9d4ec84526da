// The commands, each defined in the file of its name, and the texts of --help.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace attn::app {

Command train_command();
Command tokenizer_command();
Command benchmark_command();
Command experiment_command();
int run_translate(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_evaluate(const Arguments& arguments);
int run_average(const Arguments& arguments);
int run_bleu(const Arguments& arguments);
int run_chrf(const Arguments& arguments);
int run_bracket_f1(const Arguments& arguments);
int run_inspect(const Arguments& arguments);
int run_forward(const Arguments& arguments);
int run_trace(const Arguments& arguments);
int run_attend(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_import(const Arguments& arguments);

// All, in the order in which help lists them.
std::vector<Command> all_commands();

// A command with the help and the options of help/NAME.txt. Its first line is a summary; after an
// empty line follow a description, usage, examples, and options under titles such as
//     Batch (layers, step):
//       --sentences N           sentence pairs in a batch [32]
// with defaults in brackets. The title of a group may name the subjects that take it. A text of
// many options has a line "First: --steps --out …" before them: those that a short help shows.
Command command(const std::string& name, int (*run)(const Arguments&), std::size_t most_words = 0);
Command command(const std::string& name, int (*run)(const Arguments&), std::string subject_kind,
                std::vector<std::string> subjects);

// What the program is for and which commands it has.
std::string program_help(const std::vector<Command>& commands);
// A command: what it does, examples, and its options with their defaults; if there are many, those
// that are used first, or all.
std::string command_help(const Command& command, bool all);

}  // namespace attn::app
