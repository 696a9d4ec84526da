// attention inspect: what a model consists of.
#include <memory>

#include "app/commands.h"
#include "app/model_options.h"
#include "app/terminal/console.h"
#include "model/describe.h"
#include "model/transformer.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

std::unique_ptr<SequenceModel> model_of_preset(const Arguments& arguments) {
  if (!arguments.has("vocabulary")) fail_usage("--preset needs --vocabulary N as well");
  TransformerConfig config = model_of_options(arguments, arguments.value("preset"));
  config.source_vocabulary = config.target_vocabulary =
      arguments.number_or("vocabulary", 0, 4, 1000000);
  return std::make_unique<Transformer>(config);
}

int run_inspect(const Arguments& arguments) {
  if (arguments.has("model") == arguments.has("preset")) {
    fail_usage("inspect needs either --model DIR or --preset NAME --vocabulary N");
  }
  if (arguments.has("model") && arguments.has("vocabulary")) {
    fail_usage("--vocabulary goes with --preset; a trained model has its own");
  }
  const auto model =
      arguments.has("model") ? load_model(arguments.value("model")) : model_of_preset(arguments);
  put(arguments.has("json") ? to_json(model_json(*model)) + '\n' : model_text(*model));
  return 0;
}

}  // namespace

Command inspect_command() {
  Command command;
  command.name = "inspect";
  command.summary = "show a model's configuration and parameters";
  command.usage = {"inspect --model DIR [--json]", "inspect --preset NAME --vocabulary N [--json]"};
  command.description =
      "Prints the configuration of a model, every parameter with its shape and how many weights it "
      "has, and the totals. With --preset, those of a model that need not exist: the paper's base "
      "model with 37,000 tokens (section 3, Table 3) is the second example.";
  command.examples = {
      "attention inspect --model runs/copy",
      "attention inspect --preset base --vocabulary 37000",
  };
  command.groups = {{"Options",
                     {{"model", "DIR", "the directory of the run, or a .safetensors file in it"},
                      {"preset", "NAME", "tiny, small, or the paper's base or big"},
                      {"vocabulary", "N", "how many tokens the vocabulary has"},
                      {"json", "", "print one JSON object instead"}}}};
  command.run = run_inspect;
  return command;
}

}  // namespace attn::app
