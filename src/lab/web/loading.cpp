// Models that were trained before, and what the engine says of any model.
#include <cmath>
#include <cstdio>

#include "base/check.h"
#include "base/random.h"
#include "lab/models.h"
#include "lab/web/operations.h"
#include "layers/cross_entropy.h"
#include "model/model_file.h"
#include "trace/subject.h"
#include "trace/trace_json.h"

namespace attn::web {

namespace {

const std::string& file_of(const Engine& engine, const std::string& name) {
  const auto found = engine.files.find(name);
  ATTN_CHECK(found != engine.files.end(), "there is no file '", name, "'");
  return found->second;
}

PlayModel model_of_files(const Engine& engine, const std::string& model_name,
                         const std::string& tokenizer_name) {
  TensorFile file = parse_safetensors(file_of(engine, model_name), model_name);
  PlayModel play;
  play.model = take_model(file, model_name, plan_any_model);
  if (file.metadata.count("context") > 0) {
    play.context = parse_number<Index>(file.metadata.at("context"), "a whole number of tokens");
  }
  check_all_taken(file, model_name);
  play.tokenizer = Tokenizer::parse(file_of(engine, tokenizer_name), tokenizer_name);
  ATTN_CHECK(play.tokenizer.size() == play.model->facts.source_vocabulary &&
                 play.tokenizer.size() == play.model->facts.target_vocabulary,
             tokenizer_name, " has ", play.tokenizer.size(), " tokens, but ", model_name, " reads ",
             play.model->facts.source_vocabulary, " and writes ",
             play.model->facts.target_vocabulary);
  return play;
}

}  // namespace

void add_model(Engine& engine, PlayModel play, Json& answer) {
  const SequenceModel& model = *play.model;
  const Settings settings = model.facts.settings;
  const double epsilon = parse_number<double>(settings.at("label_smoothing"), "a number");
  Json vocabulary = Json::array();
  for (int id = 0; id < play.tokenizer.size(); ++id) vocabulary.add(play.tokenizer.token(id));
  answer.add("model", engine.next_handle);
  answer.add("weights", model.facts.weights);
  answer.add("vocabulary", vocabulary);
  answer.add("context", play.context);
  answer.add("uniform_loss", std::log(to_double(model.facts.target_vocabulary)));
  answer.add("least_loss", least_loss(epsilon, model.facts.target_vocabulary));
  answer.add("example",
             Json::object({{"source", play.example.source}, {"target", play.example.target}}));
  engine.models.emplace(engine.next_handle++, std::move(play));
}

void load(Engine& engine, const Request& request, Json& answer) {
  PlayModel play;
  std::string task;
  if (request.has("builtin")) {
    const std::string name = request.text("builtin");
    ATTN_CHECK(name == "example", "there is no builtin ", to_json(name), ", only \"example\"");
    TrainedModel example = trace_example();
    play.model = std::move(example.model);
    play.tokenizer = std::move(example.tokenizer);
    play.example = {kExampleSource, kExampleTarget};
  } else {
    const std::string model_file = request.text("model_file");
    play = model_of_files(engine, model_file, request.text("tokenizer_file"));
    if (play.context > 0) task = "language";
  }
  const Json settings = settings_json(play.model->facts.settings);
  add_model(engine, std::move(play), answer);
  answer.add("task", task);
  answer.add("settings", settings);
  answer.add("defaults", settings);
}

void weights(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  std::uint64_t all = 0;
  read_parameters(*play.model, [&](const std::string& name, const Parameter& p) {
    const std::size_t bytes = p.value.elements() * sizeof(Real);
    all = mix(all, hash(name));
    all = mix(all, hash({reinterpret_cast<const char*>(p.value.data()), bytes}));
  });
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(all));
  answer.add("hash", digits);
}

void free_model(Engine& engine, const Request& request, Json&) {
  model_of(engine, request);
  engine.models.erase(static_cast<int>(request.whole("model", 1, 1 << 30)));
}

}  // namespace attn::web
