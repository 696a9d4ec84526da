// The commands, each defined in the file of its name, and the texts of --help.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace attn::app {

int run_train(const Arguments& arguments);
int run_translate(const Arguments& arguments);
int run_generate(const Arguments& arguments);
int run_evaluate(const Arguments& arguments);
int run_average(const Arguments& arguments);
int run_bleu(const Arguments& arguments);
int run_chrf(const Arguments& arguments);
int run_bracket_f1(const Arguments& arguments);
int run_tokenizer(const Arguments& arguments);
int run_inspect(const Arguments& arguments);
int run_forward(const Arguments& arguments);
int run_trace(const Arguments& arguments);
int run_attend(const Arguments& arguments);
int run_export(const Arguments& arguments);
int run_import(const Arguments& arguments);
int run_benchmark(const Arguments& arguments);
int run_experiments(const Arguments& arguments);

// All, in the order in which help lists them.
std::vector<Command> all_commands();

// What the program is for and which commands it has.
std::string program_help(const std::vector<Command>& commands);
// A command: what it does, examples, and its options with their defaults; if there are many, those
// that are used first, or all.
std::string command_help(const Command& command, bool all);

}  // namespace attn::app
