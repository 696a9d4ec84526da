// Models that learn: make, step, validate. They are what `attention train` makes of the same
// settings, bit for bit.
#include <map>

#include "base/check.h"
#include "decoding/next_token.h"
#include "lab/experiments/defaults.h"
#include "lab/web/operations.h"
#include "layers/cross_entropy.h"
#include "metrics/exact_match.h"
#include "storage/json.h"
#include "text/batch.h"
#include "text/lines.h"

namespace attn::web {

namespace {

constexpr Index kMostWeights = Index{1} << 24;
constexpr Index kMostBatchTokens = Index{1} << 14;
constexpr Index kMostSteps = 1000;  // per request
// Of an output that is longer than its source by more than this, the rest is not decoded.
constexpr Index kMostExtra = 10;

// The settings of training that a page can choose.
constexpr const char* kTrainingSettings[] = {"seed",   "batch_tokens",        "accumulate", "clip",
                                             "warmup", "learning_rate_scale", "averaging"};

// All that a page can choose: the model, some of training, and "broken", one way to spoil it.
Settings default_settings(const Task& task, const Defaults& defaults) {
  Settings all = to_settings(preset(defaults.preset));
  for (const auto& [name, setting] : defaults.model) all[name] = setting;
  const Settings training = to_settings(defaults.training);
  for (const char* name : kTrainingSettings) all[name] = training.at(name);
  all["source_vocabulary"] = all["target_vocabulary"] = std::to_string(task.tokenizer.size());
  all["broken"] = "";
  return all;
}

// A field as a setting is written: numbers, yes and no, words.
std::string setting_text(const std::string& name, const Json& value) {
  if (value.type() == Json::Type::boolean) return value.boolean() ? "yes" : "no";
  if (value.type() == Json::Type::number) return to_json(value);
  ATTN_CHECK(value.type() == Json::Type::string, name, " must be a number, a word, true or false");
  return value.string();
}

void change(Settings& all, const Json& changes) {
  ATTN_CHECK(changes.type() == Json::Type::object, "settings must be an object");
  for (const Json::Member& member : changes.members()) {
    const std::string& name = member.key;
    const bool vocabulary = name == "source_vocabulary" || name == "target_vocabulary";
    ATTN_CHECK(all.count(name) > 0 && !vocabulary, "unknown setting '", name, "'");
    all[name] = setting_text(name, member.value);
  }
  const std::string& broken = all.at("broken");
  ATTN_CHECK(broken.empty() || broken == "shift", "broken must be \"\" or \"shift\", not ",
             to_json(broken));
  // d_k = d_v = d_model/h, unless they are given themselves.
  TransformerConfig sizes;
  for (const char* name : {"d_model", "heads"}) set(sizes, name, all.at(name));
  for (const char* name : {"d_k", "d_v"}) {
    if (changes.find(name) != nullptr) continue;
    set_head_sizes(sizes);
    all[name] = to_settings(sizes).at(name);
  }
}

TrainingSettings training_of(const Task& task, const Defaults& defaults, const Settings& all) {
  TrainingSettings training = defaults.training;
  training.task = task.name;
  for (const char* name : kTrainingSettings) set(training, name, all.at(name));
  check(training);
  ATTN_CHECK(training.batch_tokens <= kMostBatchTokens, "batch_tokens must be at most ",
             kMostBatchTokens, " here");
  return training;
}

// With zero weights.
std::unique_ptr<Transformer> transformer(const Settings& all) {
  const TransformerConfig config = config_from_settings(all, "settings");
  ATTN_CHECK(parameter_count(config) <= kMostWeights, "a model of ", parameter_count(config),
             " weights is too large for a page; take at most ", kMostWeights);
  return std::make_unique<Transformer>(config);
}

// Without the shift to the right the decoder reads what it is to predict.
void spoil(const Lesson& lesson, Batch& batch) {
  if (!lesson.shifted) batch.target_input.ids = batch.target_output;
}

Lesson& lesson_of(PlayModel& play) {
  ATTN_CHECK(play.lesson.has_value(), "this model was trained elsewhere and does not learn here");
  return *play.lesson;
}

// The same weights with another dropout, which each layer holds for itself.
std::unique_ptr<Transformer> with_dropout(Transformer& old, double dropout) {
  if (dropout == old.config().dropout) return std::make_unique<Transformer>(old);
  TransformerConfig config = old.config();
  config.dropout = dropout;
  auto model = std::make_unique<Transformer>(config);
  std::map<std::string, const Parameter*> parameters;
  old.visit_parameters([&](const std::string& name, Parameter& p) { parameters[name] = &p; });
  model->visit_parameters([&](const std::string& name, Parameter& p) { p = *parameters.at(name); });
  return model;
}

Json sentence_json(const TextPair& pair, const std::string& output, bool right) {
  return Json::object({{"source", texts_json(words(pair.source))},
                       {"target", texts_json(words(pair.target))},
                       {"output", texts_json(words(output))},
                       {"right", right}});
}

}  // namespace

void make(Engine& engine, const Request& request, Json& answer) {
  const Task task = find_task(request.text("task"));
  const Defaults defaults = defaults_of(task.name);
  const Settings standard = default_settings(task, defaults);
  Settings all = standard;
  if (request.has("settings")) change(all, request.field("settings"));

  PlayModel play;
  play.lesson.emplace();
  play.lesson->task = task;
  play.lesson->trainer.settings = training_of(task, defaults, all);
  play.lesson->shifted = all.at("broken").empty();
  play.model = transformer(all);
  initialise_parameters(*play.model, play.lesson->trainer.settings.seed);
  play.tokenizer = task.tokenizer;
  play.example = task.validation_set()[1];
  add_model(engine, std::move(play), answer);
  answer.add("task", task.name);
  answer.add("settings", settings_json(all));
  answer.add("defaults", settings_json(standard));
}

void step(Engine& engine, const Request& request, Json& answer) {
  PlayModel& play = model_of(engine, request);
  Lesson& lesson = lesson_of(play);
  Transformer& before = transformer_of(play, "learning");
  const Index count = request.whole_or("count", 1, 1, kMostSteps);
  const double dropout = request.number_or("dropout", before.config().dropout, 0, 0.99);
  // Copies learn, and take the place of the model if no step fails.
  std::unique_ptr<Transformer> model = with_dropout(before, dropout);
  Trainer trainer = lesson.trainer;
  TrainingSettings& settings = trainer.settings;
  settings.learning_rate_scale =
      request.number_or("learning_rate_scale", settings.learning_rate_scale, 1e-9, 1e9);
  const BatchSource batches = [&](std::uint64_t index) {
    Batch batch = task_batch(lesson.task, settings.seed, index, settings.batch_tokens);
    spoil(lesson, batch);
    return batch;
  };

  Json losses = Json::array();
  StepReport report;
  for (Index i = 0; i < count; ++i) {
    report = trainer.take_step(*model, batches);
    losses.add(report.sums.mean_loss());
  }
  play.model = std::move(model);
  lesson.trainer = std::move(trainer);
  answer.add("step", report.step);
  answer.add("loss", report.sums.mean_loss());
  answer.add("losses", losses);
  answer.add("accuracy", report.sums.accuracy());
  answer.add("tokens", report.sums.tokens);
  answer.add("learning_rate", report.rate);
  answer.add("gradient_norm", report.gradient_norm);
}

void validate(Engine& engine, const Request& request, Json& answer) {
  PlayModel& play = model_of(engine, request);
  const Lesson& lesson = lesson_of(play);
  std::vector<TextPair> pairs = lesson.task.validation_set();
  const Index all = static_cast<Index>(pairs.size());
  const Index limit = request.whole_or("limit", all, 1, all);
  pairs.resize(static_cast<std::size_t>(limit));

  const auto model = view_of(play, {});
  std::vector<Batch> batches = batches_in_order(encode_corpus(pairs, play.tokenizer).pairs,
                                                lesson.trainer.settings.batch_tokens);
  for (Batch& batch : batches) spoil(lesson, batch);
  const LossSums sums = evaluate(*model, batches);
  BeamOptions options = kGreedy;
  options.limits.max_extra = kMostExtra;
  const ExactMatches found = exact_matches(*model, play.tokenizer, pairs, options);

  Json sentences = Json::array();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sentences.add(sentence_json(pairs[i], found.outputs[i], found.matches[i]));
  }
  answer.add("step", lesson.trainer.step);
  answer.add("loss", sums.mean_loss());
  answer.add("perplexity", sums.perplexity());
  answer.add("accuracy", sums.accuracy());
  answer.add("exact", found.count);
  answer.add("of", limit);
  answer.add("sentences", sentences);
}

}  // namespace attn::web
