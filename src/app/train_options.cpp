// An option is a setting with dashes: --d-model is d_model. What is given replaces the preset's,
// and the defaults of the task; a resumed run has its own, and takes little else.
#include <algorithm>
#include <filesystem>

#include "app/train.h"
#include "base/memory.h"
#include "base/platform.h"
#include "storage/atomic_file.h"
#include "tasks/letters.h"

namespace attn::app {

namespace fs = std::filesystem;

// The settings, those that were given as options replaced. A flag is "yes".
static Settings with_options(const Arguments& arguments, Settings settings) {
  for (auto& [name, value] : settings) {
    const std::string option = option_of(name);
    if (!arguments.has(option)) continue;
    value = arguments.value(option).empty() ? "yes" : arguments.value(option);
  }
  return settings;
}

// A preset of --architecture, or the usual one, with these changes and options, vocabularies unset.
static Settings model_settings(const Arguments& arguments, const std::string& preset_name,
                               const Settings& changes, const std::string& usual) {
  const std::string architecture = arguments.value_or("architecture", usual);
  const Architectures& architectures = arguments.program.architectures;
  Settings settings;
  as_usage_error(arguments, [&] {
    settings = changed_preset(architecture, preset_name, changes, architectures);
  });
  for (const Architecture& other : architectures) {
    for (const auto& [name, value] : other.settings(preset("base"))) {
      check_usage(settings.count(name) > 0 || !arguments.has(option_of(name)), "--",
                  option_of(name), " is not for --architecture ", architecture);
    }
  }
  settings = with_options(arguments, settings);
  if (arguments.has("max-positions") && settings.count("positions") > 0) {
    const std::string& kind = settings.at("positions");
    check_usage(kind == "learned", "--max-positions is for --positions learned; ", kind,
                kind == "none" ? " has no limit" : " ones have no limit");
  }
  as_usage_error(arguments, [&] {
    share_among_heads([&](const std::string& name) { return arguments.has(option_of(name)); },
                      settings);
    arguments.program.plan_model(with_any_vocabulary(settings), kTheOptions);
  });
  return settings;
}

Settings sized_settings(const Arguments& arguments, const std::string& preset_name,
                        Index vocabulary) {
  Settings settings = model_settings(arguments, preset_name, {}, "transformer");
  settings["source_vocabulary"] = settings["target_vocabulary"] = std::to_string(
      arguments.number_or("vocabulary", vocabulary, kSpecialTokens + 1, kLargestVocabulary));
  as_usage_error(arguments, [&] { arguments.program.plan_model(settings, kTheOptions); });
  return settings;
}

namespace {

// Of N sources, the one that is held out: with a smaller N too much would be lost to training.
constexpr Index kLeastHoldOut = 10;

// The settings that are files, and what can be given with --resume.
constexpr const char* kFileSettings[] = {"source",       "target", "pairs",     "valid_source",
                                         "valid_target", "text",   "valid_text"};
const std::vector<std::string> kResumeOptions{"--steps",      "--minutes",  "--threads",
                                              "--save-every", "--patience", "--quiet"};

void check_task_options(const Arguments& arguments, const Subject& subject) {
  if (subject.task == nullptr) return;
  const std::string& task = subject.name;
  arguments.refuse({"patience"}, "is for files; " + task + " ends when it is solved");
  arguments.refuse({"keep"}, "is for other tasks; " + task + " keeps the weights that solve it");
}

void check_text_options(const Arguments& arguments, RunPlan&) {
  if (arguments.has("pairs")) {
    arguments.refuse({"source", "target"}, "does not go with --pairs, which holds both sides");
  } else {
    arguments.refuse({"swap"}, "goes with --pairs; exchange --source and --target instead");
    for (const char* name : {"source", "target"}) {
      check_usage(arguments.has(name), "train text needs --", name,
                  " F, or --pairs F for both sides in one file");
    }
  }
  check_usage(arguments.has("valid-source") == arguments.has("valid-target"),
              "--valid-source and --valid-target go together; one is missing");
}

void check_hold_out(const Arguments& arguments, Index one_in) {
  for (const char* files : {"valid-source", "valid-text"}) {
    if (!arguments.has(files)) continue;
    arguments.refuse({"hold-out"}, text("is for when there is no --", files));
  }
  check_usage(one_in == 0 || one_in >= kLeastHoldOut, "--hold-out ", one_in, " holds back one in ",
              one_in, ", too many to do without; give ", kLeastHoldOut, " or more, or 0 for none");
}

// A run can be resumed from any directory, so it keeps whole paths.
std::string whole_path(const std::string& path) {
  std::error_code ignored;
  const std::string absolute = fs::absolute(path, ignored).string();
  return absolute.empty() ? path : absolute;
}

// --tokenizer: a kind, to be learned, or a file.
TokenizerPlan tokenizer_plan(const Arguments& arguments, const Subject& subject) {
  const std::string& given = arguments.value("tokenizer");
  TokenizerPlan plan;
  if (!contains({"bpe", "words", "char"}, given)) {
    check_usage(exists(given),
                "--tokenizer: expected bpe, words, char or the file of a tokenizer; there is no '",
                given, "'");
    arguments.refuse({"vocabulary"},
                     "is for a tokenizer that is learned; that in " + given + " is not");
    plan.known = Tokenizer::parse(read_file(given), given);
    return plan;
  }
  const bool byte_pairs = given == "bpe";
  const Index least = byte_pairs ? Tokenizer::kFirstCharacter + 1 : kSpecialTokens + 1;
  const Index usual = byte_pairs ? subject.vocabulary : Subject().vocabulary;
  plan.units = byte_pairs ? Units::byte_pairs : given == "words" ? Units::words : Units::characters;
  plan.size = arguments.number_or("vocabulary", usual, least, kLargestVocabulary);
  return plan;
}

// Whether a step fits into the memory that was available before anything of the run was loaded.
void check_step_memory(const ModelFacts& model, const Run& run, double available) {
  const TrainingSettings& s = run.trainer.settings;
  const bool keeps_best =
      s.solved_after == 0 && !s.keep_last && !run.data.validation.batches.empty();
  const double bytes = training_memory(model, run.data.batch_tokens, run.data.longest_sentence,
                                       (s.averaging > 0 ? 1 : 0) + (keeps_best ? 1 : 0));
  check_memory(bytes, "training this model with these batches",
               "choose smaller `batch_tokens` (with `accumulate`), fewer `layers`, a smaller "
               "`d_model` or `d_ff`, or a smaller `vocabulary`",
               available);
}

}  // namespace

RunPlan plan_run(const Arguments& arguments) {
  const std::string& task = arguments.subject();
  const Subject& subject = find_subject(arguments.program, task);
  const Defaults& defaults = subject.defaults;
  check_task_options(arguments, subject);
  RunPlan plan;
  plan.training = defaults.training;
  plan.training.task = task;
  plan.tokenizer = tokenizer_plan(arguments, subject);
  seed_of(arguments);
  plan.model = model_settings(arguments, arguments.value_or("preset", defaults.preset),
                              defaults.changes(arguments.has("preset")), subject.architecture);
  as_usage_error(arguments, [&] {
    for (const auto& [name, value] : with_options(arguments, to_settings(plan.training))) {
      set(plan.training, name, value);
    }
    for (const char* name : kFileSettings) {
      const std::string option = option_of(name);
      if (arguments.has(option)) set(plan.training, name, whole_path(arguments.value(option)));
    }
    check(plan.training);
  });
  check_hold_out(arguments, plan.training.hold_out);
  if (subject.check != nullptr) subject.check(arguments, plan);
  return plan;
}

void check_resume_options(const Arguments& arguments) {
  for (const auto& [name, value] : arguments.values) {
    const std::string option = "--" + name;
    check_usage(name == "resume" || contains(kResumeOptions, option), option,
                " cannot be given with --resume: it is fixed by the run; what can be is ",
                list_of(kResumeOptions));
  }
}

// The vocabularies of a model are those of its data, so the data come first. The run is saved
// before its first step, so that it can be resumed whenever it is killed.
Run new_run(const Arguments& arguments) {
  const double available = platform::available_memory();
  const Program& program = arguments.program;
  const RunPlan plan = plan_run(arguments);
  Run run;
  run.trainer.settings = plan.training;
  const ModelPlan any = program.plan_model(with_any_vocabulary(plan.model), "the model");
  run.data = program.make_data(run.trainer.settings, any.facts.longest_sentence, plan.tokenizer);
  run.tokenizer = run.data.tokenizer;
  check_usage(run.data.longest_sentence <= plan.training.batch_tokens, "--batch-tokens ",
              plan.training.batch_tokens, " is too few: a sequence takes up to ",
              run.data.longest_sentence);
  check_usage(
      !arguments.has("keep") || plan.training.keep_last || !run.data.validation.batches.empty(),
      "--keep best needs sentences to validate with, and none are held out");
  Settings settings = plan.model;
  settings["source_vocabulary"] = settings["target_vocabulary"] = text(run.tokenizer.size());
  const ModelPlan model = program.plan_model(settings, "the model");
  check_step_memory(model.facts, run, available);
  // (From a text, sentences too long for the model were left out.)
  const Index longest = model.facts.longest_sentence;
  if (run.data.longest_sentence > longest) {
    const std::string positions = settings.at("max_positions");
    const bool shared = positions != text(longest);
    fail_usage("--max-positions ", positions,
               " is too few: ", shared ? "the two sides of a pair" : "sentences", " take up to ",
               (shared ? 2 : 1) * run.data.longest_sentence);
  }
  run.model = model.make();
  initialise_parameters(*run.model, plan.training.seed);
  const std::string usual = (fs::path("runs") / arguments.subject()).string();
  run.directory = arguments.value_or("out", usual);
  run.lock = create_run(run.directory);
  run.directory = without_links(run.directory);
  save_run(run, false);
  return run;
}

Run resumed_run(const Arguments& arguments) {
  check_resume_options(arguments);
  const double available = platform::available_memory();
  const Program& program = arguments.program;
  const std::string& directory = arguments.value("resume");
  Run run = resume_run(directory, program.plan_model);
  TrainingSettings& settings = run.trainer.settings;
  const std::string task = arguments.operands.empty() ? settings.task : arguments.subject();
  check_usage(task == settings.task, "the run in ", directory, " learns ", settings.task, ", not ",
              task);
  check_task_options(arguments, find_subject(program, settings.task));
  settings.save_every = arguments.number_or("save-every", settings.save_every, 0, kLargestCount);
  settings.patience = arguments.number_or("patience", settings.patience, 0, kLargestCount);
  settings.steps = arguments.number_or("steps", settings.steps, 0, kLargestCount);
  check_usage(!arguments.has("steps") || settings.steps >= run.trainer.step, "the run in ",
              directory, " is at step ", run.trainer.step,
              " already; --steps is the total, give more than that");
  const Settings kept = to_settings(settings);
  for (const char* name : kFileSettings) {
    const std::string& file = kept.at(name);
    ATTN_CHECK(file.empty() || !is_missing(file), file, ", with which the run in ", directory,
               " was trained, is missing; put it there again, or a link to where it is now");
  }
  run.data = program.make_data(settings, run.model->facts.longest_sentence, {run.tokenizer});
  check_step_memory(run.model->facts, run, available);
  return run;
}

std::vector<Subject> paper_subjects() {
  Subject text{"text", nullptr, defaults_of("text")};
  text.minutes = 60;
  text.check = check_text_options;
  return {{"copy", copy_task, defaults_of("copy")},
          {"reverse", reverse_task, defaults_of("reverse")},
          text};
}

}  // namespace attn::app
