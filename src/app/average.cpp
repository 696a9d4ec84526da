// attention average: one model from several checkpoints.
#include "app/options.h"
#include "app/terminal/console.h"

namespace attn::app {

int run_average(const Arguments& arguments) {
  const std::vector<std::string>& paths = arguments.operands;
  check_usage(!paths.empty(),
              "average which checkpoints? Name .safetensors files or runs, such as "
              "runs/text/checkpoints/*.safetensors");
  const TrainedModel mean = load_average(paths, arguments.program.plan_model);
  create_model(arguments.value("out"), *mean.model, mean.tokenizer, mean.context);
  say(text("the mean of ", counted(paths.size(), "model"), " is in ", arguments.value("out")));
  return 0;
}

}  // namespace attn::app
