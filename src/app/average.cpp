// attention average: one model from several checkpoints.
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "base/check.h"
#include "training/average.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

int run_average(const Arguments& arguments) {
  const std::vector<std::string>& paths = arguments.operands();
  if (paths.empty()) {
    fail_usage(
        "average which checkpoints? Name .safetensors files or runs, such as "
        "runs/text/checkpoints/*.safetensors");
  }
  const auto model = load_average(paths);
  create_model(arguments.value("out"), *model, load_tokenizer(paths[0], *model));
  say(text("the mean of ", counted(static_cast<Index>(paths.size()), "model"), " is in ",
           arguments.value("out")));
  return 0;
}

}  // namespace

Command average_command() {
  Command command;
  command.name = "average";
  command.summary = "average several checkpoints into one model";
  command.usage = {"average --out DIR CHECKPOINT..."};
  command.description =
      "Makes a model whose weights are the element-wise mean of the checkpoints', as the paper "
      "does "
      "with the last ones of a run (6.1): near the end of training the weights wander around a "
      "good point, and their mean is usually closer to it. The checkpoints must have one "
      "configuration and one tokenizer. "
      "train --save-every N keeps checkpoints; train --averaging keeps a running mean instead.";
  command.examples = {
      "attention average --out runs/mean runs/text/checkpoints/*.safetensors",
  };
  command.groups = {{"Options", {{"out", "DIR", "a new directory for the model", "", true}}}};
  command.operands = "CHECKPOINT...";
  command.run = run_average;
  return command;
}

}  // namespace attn::app
