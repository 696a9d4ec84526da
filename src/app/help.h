// The texts of --help.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace attn::app {

// What the program is for and which commands it has.
std::string program_help(const std::vector<Command>& commands);
// A command: what it does, examples, and every option with its default.
std::string command_help(const Command& command);

}  // namespace attn::app
