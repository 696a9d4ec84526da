// attention inspect: what a model consists of.
#include <memory>

#include "app/commands.h"
#include "app/drawing/model_summary.h"
#include "app/model_options.h"
#include "app/terminal/console.h"
#include "training/run_directory.h"

namespace attn::app {

static std::unique_ptr<SequenceModel> model_of_preset(const Arguments& arguments) {
  if (!arguments.has("vocabulary")) fail_usage("--preset needs --vocabulary N as well");
  return make_model(sized_settings(arguments, arguments.value("preset"), 0), "the options",
                    arguments.program().makers.model);
}

int run_inspect(const Arguments& arguments) {
  const bool trained = arguments.has("model");
  if (trained == arguments.has("preset")) {
    fail_usage("inspect needs either --model DIR or --preset NAME --vocabulary N");
  }
  if (trained) {
    arguments.refuse({"vocabulary", "architecture"},
                     "goes with --preset; a trained model has its own");
  }
  const auto model = trained ? load_model(arguments) : model_of_preset(arguments);
  const Index context = trained ? load_context(arguments.value("model")) : 0;
  put(arguments.has("json") ? to_json(model_json(*model, context)) + '\n'
                            : model_text(*model, context));
  return 0;
}

}  // namespace attn::app
