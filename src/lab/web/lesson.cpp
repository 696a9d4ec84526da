// Models that learn: make, step, validate. They are what `attention train` makes of the same
// settings, bit for bit.
#include <algorithm>
#include <cmath>
#include <set>

#include "base/check.h"
#include "decoding/output_limits.h"
#include "lab/web/operations.h"
#include "layers/cross_entropy.h"
#include "metrics/exact_match.h"
#include "storage/json.h"
#include "text/batch.h"
#include "text/lines.h"
#include "training/defaults.h"

namespace attn::web {

namespace {

constexpr Index kMostWeights = Index{1} << 24;
constexpr Index kMostBatchTokens = Index{1} << 14;
constexpr Index kMostSteps = 1000;  // per request
// Of an output that is longer than its source by more than this, the rest is not decoded.
constexpr Index kMostExtra = 10;

// The settings of training that a page can choose.
const std::set<std::string> kTrainingSettings{"seed",   "batch_tokens",        "accumulate", "clip",
                                              "warmup", "learning_rate_scale", "averaging"};

// Everything that a fresh model depends on.
struct Plan {
  Settings model;
  TrainingSettings training;
  bool positions = true, shifted = true;
};

Plan default_plan(const Task& task, const Defaults& defaults) {
  Plan plan;
  plan.model = to_settings(preset(defaults.preset));
  for (const auto& [name, setting] : defaults.model) plan.model[name] = setting;
  const std::string size = std::to_string(task.tokenizer.size());
  plan.model["source_vocabulary"] = plan.model["target_vocabulary"] = size;
  plan.training = defaults.training;
  plan.training.task = task.name;
  return plan;
}

void apply(const Json& settings, Plan& plan) {
  ATTN_CHECK(settings.type() == Json::Type::object, "settings must be an object");
  for (const Json::Member& member : settings.members()) {
    const std::string& name = member.key;
    const std::string setting = setting_text(name, member.value);
    if (name == "broken") {
      ATTN_CHECK(setting.empty() || setting == "shift", "broken must be \"\" or \"shift\", not ",
                 to_json(setting));
      plan.shifted = setting.empty();
    } else if (name == "positions" && setting == "none") {
      plan.positions = false;
    } else if (kTrainingSettings.count(name) > 0) {
      set(plan.training, name, setting);
    } else {
      const bool vocabulary = name == "source_vocabulary" || name == "target_vocabulary";
      ATTN_CHECK(plan.model.count(name) > 0 && !vocabulary, "unknown setting '", name, "'");
      plan.model[name] = setting;
    }
  }
  // d_k = d_v = d_model/h, unless they are given themselves.
  TransformerConfig sizes;
  for (const char* name : {"d_model", "heads"}) set(sizes, name, plan.model.at(name));
  for (const char* name : {"d_k", "d_v"}) {
    if (settings.find(name) != nullptr) continue;
    set_head_sizes(sizes);
    plan.model[name] = to_settings(sizes).at(name);
  }
}

// The settings of a model that learns, as the page has them.
Json plan_json(const Plan& plan) {
  Settings all = plan.model;
  if (!plan.positions) all["positions"] = "none";
  all["broken"] = plan.shifted ? "" : "shift";
  for (const auto& [name, setting] : to_settings(plan.training)) {
    if (kTrainingSettings.count(name) > 0) all[name] = setting;
  }
  return settings_json(all);
}

// Without the shift to the right the decoder reads what it is to predict.
void spoil(const Lesson& lesson, Batch& batch) {
  if (!lesson.shifted) batch.target_input.ids = batch.target_output;
}

BatchSource batches_of(const Lesson& lesson) {
  return [&lesson](std::uint64_t index) {
    const TrainingSettings& settings = lesson.trainer.settings;
    Batch batch = task_batch(lesson.task, settings.seed, index, settings.batch_tokens);
    spoil(lesson, batch);
    return batch;
  };
}

Lesson& lesson_of(PlayModel& play) {
  ATTN_CHECK(play.lesson.has_value(), "this model was trained elsewhere and does not learn here");
  return *play.lesson;
}

// The same weights with another dropout, which each layer holds for itself.
void set_dropout(PlayModel& play, double dropout) {
  Transformer& old = transformer_of(play, "dropout");
  TransformerConfig config = old.config();
  if (config.dropout == dropout) return;
  config.dropout = dropout;
  check(config);
  std::map<std::string, Parameter> parameters;
  old.visit_parameters([&](const std::string& name, Parameter& p) { parameters[name] = p; });
  auto changed = make_transformer(config, play.lesson->positions);
  changed->visit_parameters(
      [&](const std::string& name, Parameter& p) { p = std::move(parameters.at(name)); });
  play.model = std::move(changed);
}

Json sentence_json(const TextPair& pair, const std::string& output, bool right) {
  const auto cut = [](const std::string& line) {
    Json list = Json::array();
    for (const std::string_view word : words(line)) list.add(word);
    return list;
  };
  return Json::object({{"source", cut(pair.source)},
                       {"target", cut(pair.target)},
                       {"output", cut(output)},
                       {"right", right}});
}

}  // namespace

void make(Engine& engine, const Request& request, Json& answer) {
  const Task task = find_task(request.text("task"));
  const Plan defaults = default_plan(task, defaults_of(task.name));
  Plan plan = defaults;
  if (request.has("settings")) apply(request.field("settings"), plan);
  check(plan.training);
  ATTN_CHECK(plan.training.batch_tokens <= kMostBatchTokens, "batch_tokens must be at most ",
             kMostBatchTokens, " here");
  const TransformerConfig config = config_from_settings(plan.model, "settings");
  ATTN_CHECK(parameter_count(config) <= kMostWeights, "a model of ", parameter_count(config),
             " weights is too large for a page; take at most ", kMostWeights);

  PlayModel play;
  play.lesson.emplace();
  play.lesson->task = task;
  play.lesson->trainer.settings = plan.training;
  play.lesson->positions = plan.positions;
  play.lesson->shifted = plan.shifted;
  play.model = make_transformer(config, plan.positions);
  initialise_parameters(*play.model, plan.training.seed);
  play.tokenizer = task.tokenizer;
  play.example = task.validation_set()[1];
  add_model(engine, std::move(play), answer);
  answer.add("task", task.name);
  answer.add("settings", plan_json(plan));
  answer.add("defaults", plan_json(defaults));
}

void step(Engine& engine, const Request& request, Json& answer) {
  PlayModel& play = model_of(engine, request);
  Lesson& lesson = lesson_of(play);
  const Index count = request.has("count") ? request.whole("count", 1, kMostSteps) : 1;
  if (request.has("learning_rate_scale")) {
    lesson.trainer.settings.learning_rate_scale = request.number("learning_rate_scale", 1e-9, 1e9);
  }
  if (request.has("dropout")) set_dropout(play, request.number("dropout", 0, 0.99));

  Json losses = Json::array();
  StepReport report;
  for (Index i = 0; i < count; ++i) {
    report = lesson.trainer.take_step(*play.model, batches_of(lesson));
    losses.add(report.sums.mean_loss());
  }
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
  const Index limit = request.has("limit") ? request.whole("limit", 1, all) : all;
  pairs.resize(static_cast<std::size_t>(limit));

  const View view = view_of(play, {});
  std::vector<Batch> batches = batches_in_order(encode_corpus(pairs, play.tokenizer).pairs,
                                                lesson.trainer.settings.batch_tokens);
  for (Batch& batch : batches) spoil(lesson, batch);
  const LossSums sums = evaluate(*view.model, batches);
  BeamOptions options = kGreedy;
  options.limits.max_extra = kMostExtra;
  const ExactMatches found = exact_matches(*view.model, play.tokenizer, pairs, options);

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
