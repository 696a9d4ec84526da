// attention export: a model's weights for PyTorch.
#include "app/commands.h"
#include "model/pytorch.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

int run_export(const Arguments& arguments) {
  const std::string& path = arguments.output("pytorch", {"model"});
  write_pytorch(path, *load_transformer(arguments.value("model")));
  return 0;
}

}  // namespace

Command export_command() {
  return command("export", run_export);
}

}  // namespace attn::app
