// The commands there are; each is made in the file of its name.
#pragma once

#include <vector>

#include "app/options.h"

namespace attn::app {

Command train_command();
Command translate_command();
Command evaluate_command();
Command inspect_command();
Command forward_command();
Command trace_command();
Command export_command();
Command import_command();
Command benchmark_command();

// All, in the order in which help lists them.
std::vector<Command> all_commands();

}  // namespace attn::app
