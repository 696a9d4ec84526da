// A new run's settings are the task's defaults with what was given in their place; a resumed run
// has its own, and takes little else.
#include "app/train_options.h"

#include <filesystem>
#include <map>

#include "app/defaults.h"
#include "app/model_options.h"
#include "base/memory.h"
#include "base/platform.h"
#include "storage/atomic_file.h"
#include "tasks/letters.h"

namespace attn::app {

namespace {

// At most a tenth of the sources is not trained on.
constexpr Index kLeastHoldOut = 10;

// The settings that are files, and what can be given with --resume.
constexpr const char* kFileSettings[] = {"source",       "target", "pairs",     "valid_source",
                                         "valid_target", "text",   "valid_text"};
const std::vector<std::string> kResumeOptions{"--steps",      "--minutes",  "--threads",
                                              "--save-every", "--patience", "--quiet"};

void check_patience(const Arguments& arguments, const Subject& subject) {
  if (subject.task == nullptr) return;
  arguments.refuse({"patience"}, "is for files; " + subject.name + " ends when it is solved");
}

void check_text_options(const Arguments& arguments) {
  if (arguments.has("pairs")) {
    arguments.refuse({"source", "target"}, "does not go with --pairs, which holds both sides");
  } else {
    arguments.refuse({"swap"}, "goes with --pairs; exchange --source and --target instead");
    for (const char* name : {"source", "target"}) {
      if (arguments.has(name)) continue;
      fail_usage("train text needs --", name, " F, or --pairs F for both sides in one file");
    }
  }
  if (arguments.has("valid-source") != arguments.has("valid-target")) {
    fail_usage("--valid-source and --valid-target go together; one is missing");
  }
}

void check_hold_out(const Arguments& arguments) {
  for (const char* files : {"valid-source", "valid-text"}) {
    if (!arguments.has(files)) continue;
    arguments.refuse({"hold-out"}, text("is for when there is no --", files));
  }
  const Index one_in = arguments.number_or("hold-out", 0, 0, kLargestCount);
  if (one_in > 0 && one_in < kLeastHoldOut) {
    fail_usage("--hold-out ", one_in, " holds back one in ", one_in,
               ", too many to do without; give ", kLeastHoldOut, " or more, or 0 for none");
  }
}

std::string and_left_out(const LeftOut& left_out) {
  const std::string reasons = left_out_text(left_out);
  return reasons.empty() ? "" : "; left out: " + reasons;
}

// "4 pairs of a.fr and a.en; validated with 2"
std::string summary_of_text(const TrainingSettings& s, const DataReport& report) {
  std::string all =
      text(counted(report.trained, "pair"), " of ", report.files, and_left_out(report.left_out));
  if (report.validated == 0) {
    all += "; nothing is held out, so there is no validation";
    if (s.hold_out > 0) {
      all += text(" (of so few sources, --hold-out ", s.hold_out,
                  " chose none; give a smaller number, or --valid-source)");
    }
  } else {
    all += "; validated with " + grouped(report.validated);
    if (s.valid_source.empty()) {
      all += text(" others, one source in ", s.hold_out, ", chosen by its hash");
    }
    all += and_left_out(report.left_out_of_validated);
  }
  if (report.unknown > 0) {
    all += text("; ", percent(report.unknown, report.tokens), " of the tokens are unknown");
  }
  return all + look_alikes_text(report.look_alikes);
}

std::vector<std::string> next_of_text(const TrainingSettings& s, const std::string& model) {
  std::vector<std::string> next{"inspect" + model};
  if (exists(s.valid_source) && exists(s.valid_target)) {
    next.push_back("evaluate" + model + " --source " + typed_path(s.valid_source) + " --target " +
                   typed_path(s.valid_target));
  }
  return next;
}

// A run can be resumed from any directory, so it keeps whole paths.
std::string whole_path(const std::string& path) {
  std::error_code ignored;
  const std::string absolute = std::filesystem::absolute(path, ignored).string();
  return absolute.empty() ? path : absolute;
}

// --tokenizer: a kind, to be learned, or a file.
void set_tokenizer(const Arguments& arguments, const Subject& subject, RunPlan& plan) {
  const std::string& kind = arguments.value("tokenizer");
  const std::map<std::string, Units> kinds{
      {"bpe", Units::byte_pairs}, {"words", Units::words}, {"char", Units::characters}};
  const auto known = kinds.find(kind);
  if (known == kinds.end()) {
    std::error_code ignored;
    if (!std::filesystem::exists(kind, ignored)) {
      fail_usage("--tokenizer: expected bpe, words, char or the file of a tokenizer; there is no '",
                 kind, "'");
    }
    arguments.refuse({"vocabulary"},
                     "is for a tokenizer that is learned; that in " + kind + " is not");
    plan.tokenizer.known = Tokenizer::parse(read_file(kind), kind);
    return;
  }
  const bool byte_pairs = kind == "bpe";
  const Index least = byte_pairs ? Tokenizer::kFirstCharacter + 1 : kSpecialTokens + 1;
  const Index usual = byte_pairs ? subject.vocabulary : Subject().vocabulary;
  plan.tokenizer.units = known->second;
  plan.tokenizer.size = arguments.number_or("vocabulary", usual, least, kLargestVocabulary);
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

// The vocabularies of a model are those of its data, so the data come first. The run is saved
// before its first step, so that it can be resumed whenever it is killed.
Run new_run(const Arguments& arguments) {
  const double available = platform::available_memory();
  const Makers& makers = arguments.program().makers;
  const RunPlan plan = plan_run(arguments);
  Run run;
  run.trainer.settings = plan.training;
  const ModelPlan any = makers.model(with_any_vocabulary(plan.model), "the model");
  run.data = makers.data(run.trainer.settings, any.facts.longest_sentence, plan.tokenizer);
  run.tokenizer = run.data.tokenizer;
  Settings settings = plan.model;
  settings["source_vocabulary"] = settings["target_vocabulary"] = text(run.tokenizer.size());
  const ModelPlan model = makers.model(settings, "the model");
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
  const std::string usual = (std::filesystem::path("runs") / arguments.subject()).string();
  run.directory = arguments.value_or("out", usual);
  run.lock = create_run(run.directory);
  save_run(run, false);
  return run;
}

Run resumed_run(const Arguments& arguments) {
  check_resume_options(arguments);
  const double available = platform::available_memory();
  const Makers& makers = arguments.program().makers;
  const std::string& directory = arguments.value("resume");
  Run run = resume_run(directory, makers.model);
  TrainingSettings& settings = run.trainer.settings;
  if (!arguments.operands().empty() && arguments.subject() != settings.task) {
    fail_usage("the run in ", directory, " learns ", settings.task, ", not ", arguments.subject());
  }
  check_patience(arguments, find_subject(arguments.program(), settings.task));
  settings.save_every = arguments.number_or("save-every", settings.save_every, 0, kLargestCount);
  settings.patience = arguments.number_or("patience", settings.patience, 0, kLargestCount);
  settings.steps = arguments.number_or("steps", settings.steps, 0, kLargestCount);
  if (arguments.has("steps") && settings.steps < run.trainer.step) {
    fail_usage("the run in ", directory, " is at step ", run.trainer.step,
               " already; --steps is the total, give more than that");
  }
  run.data = makers.data(settings, run.model->facts.longest_sentence, {run.tokenizer});
  check_step_memory(run.model->facts, run, available);
  return run;
}

}  // namespace

RunPlan plan_run(const Arguments& arguments) {
  const std::string& task = arguments.subject();
  const Subject& subject = find_subject(arguments.program(), task);
  check_patience(arguments, subject);
  if (subject.check != nullptr) subject.check(arguments);
  check_hold_out(arguments);
  const Defaults defaults = arguments.program().defaults(task);
  if (defaults.training.solved_after > 0) {
    arguments.refuse({"keep"}, "is for other tasks; " + task + " keeps the weights that solve it");
  }
  RunPlan plan;
  plan.training = defaults.training;
  plan.training.task = task;
  set_tokenizer(arguments, subject, plan);

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
  if (subject.complete != nullptr) subject.complete(arguments, plan);
  return plan;
}

void check_resume_options(const Arguments& arguments) {
  for (const auto& [name, value] : arguments.values()) {
    const std::string option = "--" + name;
    if (name == "resume" || contains(kResumeOptions, option)) continue;
    fail_usage(option, " cannot be given with --resume: it is fixed by the run; what can be ",
               "is ", list_of(kResumeOptions));
  }
}

std::string typed_path(const std::string& path) {
  std::error_code error;
  // (Without it, proximate throws where the current directory was removed.)
  const std::filesystem::path here = std::filesystem::current_path(error);
  if (error) return shell_word(path);
  const std::string near = std::filesystem::proximate(path, here, error).string();
  return shell_word(error || near.size() >= path.size() ? path : near);
}

std::vector<Subject> paper_subjects() {
  Subject copy{"copy"}, reverse{"reverse"}, text{"text"};
  copy.task = copy_task;
  reverse.task = reverse_task;
  text.minutes = 60;
  text.check = check_text_options;
  text.summary = summary_of_text;
  text.next = next_of_text;
  return {copy, reverse, text};
}

Run begin_run(const Arguments& arguments) {
  return arguments.has("resume") ? resumed_run(arguments) : new_run(arguments);
}

}  // namespace attn::app
