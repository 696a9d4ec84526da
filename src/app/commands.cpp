#include "app/commands.h"

namespace attn::app {

std::vector<Command> all_commands() {
  return {train_command(),   translate_command(), evaluate_command(),
          inspect_command(), forward_command(),   trace_command(),
          export_command(),  import_command(),    benchmark_command()};
}

}  // namespace attn::app
