// The commands, each defined in the file of its name, and the texts of --help.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace attn::app {

RunCommand run_train, run_translate, run_generate, run_evaluate, run_average;
RunCommand run_export, run_import;  // in pytorch.cpp
RunCommand run_bleu, run_tokenizer, run_inspect, run_forward, run_trace, run_attend;
RunCommand run_benchmark;

// All, in the order in which help lists them.
std::vector<Command> all_commands();

// What the program is for and which commands it has.
std::string program_help(const std::vector<Command>& commands);
// A command: what it does, examples, and its options with their defaults; if there are many, those
// that are used first, or all.
std::string command_help(const Command& command, bool all);

}  // namespace attn::app
