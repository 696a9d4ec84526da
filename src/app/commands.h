// The commands, each defined in the file of its name, and the texts of --help.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"
#include "app/program.h"

namespace attn::app {

RunCommand run_train, run_translate, run_evaluate, run_average, run_bleu;
RunCommand run_tokenizer, run_inspect, run_forward, run_trace, run_attend;

// The program `attention`.
const Program& paper_program();

// The text help/NAME.txt for a program, whose name takes the place of each @. Lines that begin with
// < are for attention alone, those that begin with > for attention-lab alone.
std::string help_text(const std::string& name, const std::string& program);
// A command with this help, from which its options follow.
Command command(const std::string& name, const std::string& help, RunCommand* run,
                std::size_t most_words = 0, const std::string& subject_kind = "",
                const std::vector<std::string>& subjects = {});

std::vector<std::string> names_of(const std::vector<Subject>& subjects);

// What the program is for and which commands it has.
std::string program_help(const Program& program);
// A command: what it does, examples, and its options with their defaults; if there are many, those
// that are used most, or all.
std::string command_help(const Command& command, bool all);

}  // namespace attn::app
