// attention inspect: what a model consists of. Its embeddings are all that is outside the stacks.
#include "app/terminal/console.h"
#include "app/terminal/printing.h"
#include "app/train.h"
#include "storage/safetensors.h"
#include "trace/trace_json.h"

namespace attn::app {

static void put_model(const SequenceModel& model, const Settings& configuration, bool as_json) {
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

int run_inspect(const Arguments& arguments) {
  const bool trained = arguments.has("model");
  check_usage(trained != arguments.has("preset"),
              "inspect needs either --model DIR or --preset NAME --vocabulary N");
  std::unique_ptr<SequenceModel> model;
  Index context = 0;
  if (trained) {
    arguments.refuse({"vocabulary", "architecture"},
                     "goes with --preset; a trained model has its own");
    Metadata metadata;
    model = load_model(arguments, &metadata);
    context = context_of(metadata, arguments.value("model"));
  } else {
    check_usage(arguments.has("vocabulary"), "--preset needs --vocabulary N as well");
    const Settings settings = sized_settings(arguments, arguments.value("preset"), 0);
    model = arguments.program.plan_model(settings, "the options").make();
  }
  Settings configuration = model->facts.settings;
  if (context > 0) configuration["context"] = std::to_string(context);
  put_model(*model, configuration, arguments.has("json"));
  return 0;
}

}  // namespace attn::app
