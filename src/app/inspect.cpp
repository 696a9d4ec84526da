// attention inspect: what a model consists of.
#include <algorithm>
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/console.h"
#include "app/trained_model.h"
#include "model/transformer.h"
#include "storage/json.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

struct Entry {
  std::string name;
  Shape shape;
};

// The parts that totals are given for, in the order in which they come.
std::string part_of(const std::string& name) {
  const std::string first = name.substr(0, name.find('.'));
  return first == "encoder" || first == "decoder" ? first : "embeddings";
}

struct Total {
  std::string part;
  Index count;
};

std::vector<Total> totals_of(const std::vector<Entry>& entries) {
  std::vector<Total> totals{{"embeddings", 0}, {"encoder", 0}, {"decoder", 0}, {"all", 0}};
  for (const Entry& entry : entries) {
    for (Total& total : totals) {
      if (total.part == part_of(entry.name) || total.part == "all") {
        total.count += entry.shape.elements();
      }
    }
  }
  return totals;
}

void put_json(const Settings& settings, const std::vector<Entry>& entries) {
  Json parameters = Json::array(), totals = Json::object();
  for (const Entry& entry : entries) {
    Json shape = Json::array();
    for (int axis = 0; axis < entry.shape.rank; ++axis) shape.add(entry.shape.size[axis]);
    parameters.add(
        Json::object({{"name", entry.name}, {"shape", shape}, {"count", entry.shape.elements()}}));
  }
  for (const Total& total : totals_of(entries)) totals.add(total.part, total.count);
  put(to_json(Json::object({{"configuration", settings_json(settings)},
                            {"parameters", parameters},
                            {"totals", totals}})) +
      '\n');
}

void put_text(const Settings& settings, const std::vector<Entry>& entries) {
  put("configuration\n");
  for (const auto& [name, value] : settings) {
    put("  " + padded(name, 20) + value + '\n');
  }

  std::size_t name_width = 0, shape_width = 0, count_width = 0;
  for (const Entry& entry : entries) {
    name_width = std::max(name_width, entry.name.size());
    shape_width = std::max(shape_width, to_string(entry.shape).size());
  }
  const std::vector<Total> totals = totals_of(entries);
  for (const Total& total : totals) {
    count_width = std::max(count_width, grouped(total.count).size());
  }
  const auto number = [&](Index count) {
    const std::string digits = grouped(count);
    return std::string(count_width - digits.size(), ' ') + digits + '\n';
  };
  put("\nparameters\n");
  for (const Entry& entry : entries) {
    put("  " + padded(entry.name, name_width + 2) +
        padded(to_string(entry.shape), shape_width + 2) + number(entry.shape.elements()));
  }
  put("\ntotals\n");
  for (const Total& total : totals) {
    put("  " + padded(total.part, name_width + shape_width + 4) + number(total.count));
  }
}

std::unique_ptr<SequenceModel> model_of_preset(const Arguments& arguments) {
  if (!arguments.has("vocabulary")) fail_usage("--preset needs --vocabulary N beside it");
  Config config;
  try {
    config = preset(arguments.value("preset"));
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
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
  std::vector<Entry> entries;
  read_parameters(*model, [&](const std::string& name, const Parameter& parameter) {
    entries.push_back({name, parameter.value.shape()});
  });
  if (arguments.has("json")) {
    put_json(model->settings(), entries);
  } else {
    put_text(model->settings(), entries);
  }
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
                     {{"model", "DIR", "the directory of the run"},
                      {"preset", "NAME", "tiny, small, or the paper's base or big"},
                      {"vocabulary", "N", "how many tokens the vocabulary has"},
                      {"json", "", "print one JSON object instead"}}}};
  command.run = run_inspect;
  return command;
}

}  // namespace attn::app
