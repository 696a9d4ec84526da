// attention inspect: what a model consists of: its configuration, every parameter with its shape
// and how many weights it has, and the totals: of the embeddings (all that is outside the stacks),
// the encoder, the decoder, and all together.
#include <memory>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/model_options.h"
#include "app/terminal/console.h"
#include "base/printing.h"
#include "storage/safetensors.h"
#include "trace/trace_json.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

std::unique_ptr<SequenceModel> model_of_preset(const Arguments& arguments) {
  if (!arguments.has("vocabulary")) fail_usage("--preset needs --vocabulary N as well");
  return make_model(sized_settings(arguments, arguments.value("preset"), 0), "the options",
                    arguments.program().makers.model);
}

void put_model(const SequenceModel& model, const Settings& configuration, bool as_json) {
  Json parameters = Json::array();
  std::vector<std::vector<std::string>> rows{{}, {"parameters"}};
  Index embeddings = 0, encoder = 0, decoder = 0;
  read_parameters(model, [&](const std::string& name, const Parameter& parameter) {
    const Shape& shape = parameter.value.shape();
    const Index count = shape.elements();
    parameters.add(Json::object({{"name", name}, {"shape", sizes_json(shape)}, {"count", count}}));
    rows.push_back({"  " + name, to_string(shape), grouped(count)});
    const std::string part = name.substr(0, name.find('.'));
    (part == "encoder" ? encoder : part == "decoder" ? decoder : embeddings) += count;
  });
  Json totals = Json::object({{"embeddings", embeddings}});
  if (encoder > 0) totals.add("encoder", encoder);
  totals.add("decoder", decoder);
  totals.add("all", embeddings + encoder + decoder);
  if (as_json) {
    return put(to_json(Json::object({{"configuration", settings_json(configuration)},
                                     {"parameters", parameters},
                                     {"totals", totals}})) +
               '\n');
  }

  rows.insert(rows.end(), {{}, {"totals"}});
  for (const Json::Member& total : totals.members()) {
    rows.push_back({"  " + total.key, "", grouped(static_cast<Index>(total.value.integer()))});
  }
  put("configuration\n");
  for (const auto& [name, value] : configuration) put("  " + padded(name, 20) + value + '\n');
  put(table(rows, {0, 1}));
}

}  // namespace

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
  Settings configuration = model->facts.settings;
  const Index context = trained ? load_context(arguments.value("model")) : 0;
  if (context > 0) configuration["context"] = std::to_string(context);
  put_model(*model, configuration, arguments.has("json"));
  return 0;
}

}  // namespace attn::app
