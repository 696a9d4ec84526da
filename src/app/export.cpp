// attention export: a model's weights for PyTorch.
#include "app/commands.h"
#include "lab/peers/pytorch.h"
#include "training/run_directory.h"

namespace attn::app {

int run_export(const Arguments& arguments) {
  const std::string& path = arguments.output("pytorch", {"model"});
  const auto model = load_model(arguments.value("model"));
  write_pytorch(path, *model, load_context(arguments.value("model")));
  return 0;
}

}  // namespace attn::app
