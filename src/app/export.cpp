// attention export: a model's weights for PyTorch.
#include "app/commands.h"
#include "lab/peers/pytorch.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

int run_export(const Arguments& arguments) {
  arguments.check_output("pytorch", {"model"});
  const auto model = load_transformer(arguments.value("model"));
  write_pytorch(arguments.value("pytorch"), *model);
  return 0;
}

}  // namespace

Command export_command() {
  return command("export", run_export);
}

}  // namespace attn::app
