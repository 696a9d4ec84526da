// Models that learn: make, step, validate; bit for bit as `attention train` with those settings.
#include <utility>

#include "app/defaults.h"
#include "base/check.h"
#include "base/number.h"
#include "lab/defaults.h"
#include "lab/language/language_data.h"
#include "lab/models.h"
#include "lab/web/operations.h"
#include "layers/cross_entropy.h"
#include "metrics/exact_match.h"
#include "storage/json.h"
#include "tasks/task.h"
#include "text/batch.h"
#include "text/lines.h"
#include "trace/trace_json.h"

namespace attn::web {

namespace {

constexpr Index kMostWeights = Index{1} << 24;
constexpr Index kMostBatchTokens = Index{1} << 14;
constexpr Index kMostSteps = 1000;  // per request
// Of an output that is longer than its source by more than this, the rest is not decoded.
constexpr Index kMostExtra = 10;

// The settings of training that a page can choose.
constexpr const char* kTrainingSettings[] = {"seed",      "batch_tokens", "accumulate",
                                             "clip",      "warmup",       "learning_rate_scale",
                                             "averaging", "context"};
// The most tokens of a tokenizer that is learned from a text, as those of `attention train`.
constexpr Index kMostLearned = 4000;

// All that a page can choose: the model, some of training, and "broken", one way to spoil it.
Settings default_settings(const std::string& architecture, const Defaults& defaults) {
  Settings all =
      changed_preset(architecture, defaults.preset, defaults.changes(), all_architectures());
  const Settings training = to_settings(defaults.training);
  for (const char* name : kTrainingSettings) all[name] = training.at(name);
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
  for (const Json::Member& member : changes.members()) {
    const std::string& name = member.key;
    const bool vocabulary = name == "source_vocabulary" || name == "target_vocabulary";
    ATTN_CHECK(all.count(name) > 0 && !vocabulary, "unknown setting '", name, "'");
    all[name] = setting_text(name, member.value);
  }
  const std::string& broken = all.at("broken");
  ATTN_CHECK(broken.empty() || broken == "shift", "broken must be \"\" or \"shift\", not ",
             to_json(broken));
  share_among_heads([&](const std::string& name) { return changes.find(name) != nullptr; }, all);
}

TrainingSettings training_of(const std::string& task, const Defaults& defaults,
                             const Settings& all) {
  TrainingSettings training = defaults.training;
  training.task = task;
  for (const char* name : kTrainingSettings) set(training, name, all.at(name));
  check(training);
  ATTN_CHECK(training.batch_tokens <= kMostBatchTokens, "batch_tokens must be at most ",
             kMostBatchTokens, " here");
  return training;
}

std::unique_ptr<SequenceModel> new_model(Settings all, std::uint64_t seed) {
  for (const char* name : kTrainingSettings) all.erase(name);
  all.erase("broken");
  const ModelPlan plan = plan_any_model(all, "settings");
  ATTN_CHECK(plan.facts.weights <= kMostWeights, "a model of ", plan.facts.weights,
             " weights is too large for a page; take at most ", kMostWeights);
  std::unique_ptr<SequenceModel> model = plan.make();
  initialise_parameters(*model, seed);
  return model;
}

// What a language model learns from, and its tokenizer, of words.
void study(const Request& request, PlayModel& play) {
  const std::string text = request.text("text");
  std::string_view rest = text;
  LineReader reader(
      [&](char* bytes, std::size_t size) {
        const std::size_t count = rest.copy(bytes, size);
        rest.remove_prefix(count);
        return static_cast<std::ptrdiff_t>(count);
      },
      "the text", text.size() + 1);
  std::vector<std::string> lines = rest_of_lines(reader);
  TrainingSettings& training = play.lesson->trainer.settings;
  training.text = "the text";
  const TrainingData data =
      language_data_of(training, std::move(lines), {{}, Units::words, kMostLearned});
  play.lesson->batches = data.batches;
  play.lesson->held_out = data.validation.batches;
  play.tokenizer = data.tokenizer;
  play.context = training.context;
}

// The same of a model of sentence pairs.
void study(const Task& task, PlayModel& play) {
  const TrainingSettings& training = play.lesson->trainer.settings;
  play.lesson->task = task;
  play.lesson->batches = [task, seed = training.seed, tokens = training.batch_tokens](
                             std::uint64_t index) { return task_batch(task, seed, index, tokens); };
  play.tokenizer = task.tokenizer;
  play.example = task.validation_set()[1];
}

// Without the shift to the right the decoder reads what it is to predict.
void spoil(const Lesson& lesson, Batch& batch) {
  if (!lesson.shifted) batch.target_input.ids = batch.target_output;
}

Lesson& lesson_of(PlayModel& play) {
  ATTN_CHECK(play.lesson.has_value(), "this model was trained elsewhere and does not learn here");
  return *play.lesson;
}

void add_loss(const LossSums& sums, Json& answer) {
  answer.add("loss", sums.mean_loss());
  answer.add("perplexity", sums.perplexity());
  answer.add("accuracy", sums.accuracy());
}

Json sentence_json(const TextPair& pair, const std::string& output, bool right) {
  return Json::object({{"source", texts_json(words(pair.source))},
                       {"target", texts_json(words(pair.target))},
                       {"output", texts_json(words(output))},
                       {"right", right}});
}

}  // namespace

void make(Engine& engine, const Request& request, Json& answer) {
  const std::string task = request.text("task");
  const bool language = task == "language";
  const Defaults defaults = any_defaults_of(task);
  const Json changes = request.has("settings") ? request.field("settings") : Json::object({});
  ATTN_CHECK(changes.type() == Json::Type::object, "settings must be an object");
  const Json* const wanted = changes.find("architecture");
  const std::string usual = language ? "decoder" : "transformer";
  Settings standard =
      default_settings(wanted ? setting_text("architecture", *wanted) : usual, defaults);
  Settings all = standard;
  change(all, changes);
  // A learned table need be no longer than a window.
  if (language && all.count("max_positions") > 0 && changes.find("max_positions") == nullptr) {
    for (Settings* s : {&standard, &all}) (*s)["max_positions"] = s->at("context");
  }

  PlayModel play;
  play.lesson.emplace();
  play.lesson->trainer.settings = training_of(task, defaults, all);
  play.lesson->shifted = all.at("broken").empty();
  if (language) {
    study(request, play);
  } else {
    study(find_task(task), play);
  }
  const std::string V = std::to_string(play.tokenizer.size());
  for (Settings* s : {&standard, &all}) (*s)["source_vocabulary"] = (*s)["target_vocabulary"] = V;
  play.model = new_model(all, play.lesson->trainer.settings.seed);
  add_model(engine, std::move(play), answer);
  answer.add("task", task);
  answer.add("settings", settings_json(all));
  answer.add("defaults", settings_json(standard));
}

void step(Engine& engine, const Request& request, Json& answer) {
  PlayModel& play = model_of(engine, request);
  Lesson& lesson = lesson_of(play);
  const Index count = request.whole_or("count", 1, 1, kMostSteps);
  Settings changed = play.model->facts.settings;
  if (request.has("dropout")) {
    changed["dropout"] = shortest(request.number_or("dropout", 0, 0, 0.99));
  }
  // Copies learn, and take the place of the model if no step fails.
  std::unique_ptr<SequenceModel> model = copy_with(*play.model, changed);
  Trainer trainer = lesson.trainer;
  TrainingSettings& settings = trainer.settings;
  settings.learning_rate_scale =
      request.number_or("learning_rate_scale", settings.learning_rate_scale, 1e-9, 1e9);
  const BatchSource batches = [&](std::uint64_t index) {
    Batch batch = lesson.batches(index);
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
  if (play.context > 0) {
    answer.add("step", lesson.trainer.step);
    return add_loss(evaluate(*view_of(play, {}), lesson.held_out), answer);
  }
  std::vector<TextPair> pairs = lesson.task.validation_set();
  const Index all = pairs.size();
  const Index limit = request.whole_or("limit", all, 1, all);
  pairs.resize(limit);

  const auto model = view_of(play, {});
  std::vector<Batch> batches = batches_in_order(encode_corpus(pairs, play.tokenizer).pairs,
                                                lesson.trainer.settings.batch_tokens);
  for (Batch& batch : batches) spoil(lesson, batch);
  const LossSums sums = evaluate(*model, batches);
  BeamOptions options = kGreedy;
  options.max_extra = kMostExtra;
  const ExactMatches found = exact_matches(*model, play.tokenizer, pairs, options);

  Json sentences = Json::array();
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    sentences.add(sentence_json(pairs[i], found.outputs[i], found.matches[i]));
  }
  answer.add("step", lesson.trainer.step);
  add_loss(sums, answer);
  answer.add("exact", found.count);
  answer.add("of", limit);
  answer.add("sentences", sentences);
}

}  // namespace attn::web
