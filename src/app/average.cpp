// attention average: one model from several checkpoints.
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "base/check.h"
#include "training/run_directory.h"

namespace attn::app {

int run_average(const Arguments& arguments) {
  const std::vector<std::string>& paths = arguments.operands();
  if (paths.empty()) {
    fail_usage(
        "average which checkpoints? Name .safetensors files or runs, such as "
        "runs/text/checkpoints/*.safetensors");
  }
  const TrainedModel mean = load_average(paths, arguments.program().makers.model);
  create_model(arguments.value("out"), *mean.model, mean.tokenizer, mean.context);
  say(text("the mean of ", counted(static_cast<Index>(paths.size()), "model"), " is in ",
           arguments.value("out")));
  return 0;
}

}  // namespace attn::app
