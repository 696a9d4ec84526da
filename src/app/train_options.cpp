#include "app/train_options.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <set>
#include <utility>

#include "app/model_options.h"
#include "base/parallel.h"
#include "model/architectures.h"
#include "storage/atomic_file.h"

namespace attn::app {

namespace {

constexpr const char* kTextOptions[] = {"source",       "target",       "pairs",     "swap",
                                        "valid-source", "valid-target", "tokenizer", "vocabulary",
                                        "hold-out",     "patience"};
const std::set<std::string> kResumeOptions{"resume", "steps",        "minutes",      "threads",
                                           "quiet",  "save-every",   "source",       "target",
                                           "pairs",  "valid-source", "valid-target", "patience"};

// At most a tenth of the sources is not trained on.
constexpr Index kLeastHoldOut = 10;

constexpr const char* kFileSettings[] = {"source", "target", "pairs", "valid_source",
                                         "valid_target"};

// What each option is if it is not given.
Settings standards_of(const Defaults& defaults) {
  Settings all{{"preset", defaults.preset}, {"architecture", "transformer"}};
  const Settings model = preset_settings("transformer", defaults.preset);
  for (const Settings& settings : {model, defaults.model, to_settings(defaults.training)}) {
    for (const auto& [name, value] : settings) all[option_of(name)] = value;
  }
  return all;
}

// Adds these defaults as help shows them: "512", or "64; text: 256" where the tasks differ from
// copy, reverse and bracketing.
std::vector<OptionGroup> with_standards(std::vector<OptionGroup> groups) {
  const Settings toy = standards_of(toy_defaults());
  const std::pair<const char*, Settings> others[] = {
      {"phrasebook", standards_of(phrasebook_defaults())}, {"text", standards_of(text_defaults())}};
  for (OptionGroup& group : groups) {
    for (Option& option : group.options) {
      const auto found = toy.find(option.name);
      const bool flag = option.placeholder.empty();
      if (found == toy.end() || flag || !option.standard.empty()) continue;
      option.standard = found->second;
      for (const auto& [task, standards] : others) {
        const std::string& other = standards.at(option.name);
        if (other != found->second) option.standard += text("; ", task, ": ", other);
      }
    }
  }
  return groups;
}

std::string task_of(const Arguments& arguments) {
  const std::vector<std::string>& operands = arguments.operands();
  if (operands.empty()) fail_usage("train what? copy, reverse, phrasebook, bracketing or text");
  arguments.check_one_operand();
  const std::string& task = operands[0];
  const std::vector<std::string> tasks{"copy", "reverse", "phrasebook", "bracketing", "text"};
  if (std::find(tasks.begin(), tasks.end(), task) == tasks.end()) {
    fail_usage("there is no task '", task, "', only copy, reverse, phrasebook, bracketing and text",
               suggestion(task, tasks));
  }
  return task;
}

void check_text_options(const Arguments& arguments, const std::string& task) {
  if (task != "text") {
    for (const char* name : kTextOptions) {
      if (arguments.has(name)) {
        fail_usage(
            "--", name, " is for train text; ", task,
            name == std::string("patience") ? " ends when it is solved" : " makes its own data");
      }
    }
    return;
  }
  const bool one_file = arguments.has("pairs");
  for (const char* name : {"source", "target"}) {
    if (arguments.has(name) && one_file) {
      fail_usage("--pairs holds both sides; --", name, " does not go with it");
    }
    if (!arguments.has(name) && !one_file) {
      fail_usage("train text needs --", name, " F, or --pairs F for both sides in one file");
    }
  }
  if (arguments.has("swap") && !one_file) {
    fail_usage("--swap goes with --pairs; exchange --source and --target instead");
  }
  if (arguments.has("valid-source") != arguments.has("valid-target")) {
    fail_usage("--valid-source and --valid-target go together; one is missing");
  }
  if (arguments.has("hold-out") && arguments.has("valid-source")) {
    fail_usage("--hold-out is for when there is no --valid-source");
  }
  const Index one_in = arguments.number_or("hold-out", 0, 0, kLargestCount);
  if (one_in > 0 && one_in < kLeastHoldOut) {
    fail_usage("--hold-out ", one_in, " holds back one source sentence in ", one_in,
               ", too many to do without; give ", kLeastHoldOut, " or more, or 0 for none");
  }
}

// A run can be resumed from any directory, so it keeps whole paths.
void set_files(const Arguments& arguments, TrainingSettings& settings) {
  for (const char* name : kFileSettings) {
    if (!arguments.has(option_of(name))) continue;
    const std::string& path = arguments.value(option_of(name));
    std::error_code ignored;
    const std::string absolute = std::filesystem::absolute(path, ignored).string();
    set(settings, name, absolute.empty() ? path : absolute);
  }
}

// --tokenizer: a kind, to be learned, or a file.
void set_tokenizer(const Arguments& arguments, Plan& plan) {
  const std::string kind = arguments.value_or("tokenizer", "bpe");
  if (kind != "bpe" && kind != "words") {
    std::error_code ignored;
    if (!std::filesystem::exists(kind, ignored)) {
      fail_usage("--tokenizer: expected bpe, words or the file of a tokenizer; there is no '", kind,
                 "'");
    }
    if (arguments.has("vocabulary")) {
      fail_usage("--vocabulary is for a tokenizer that is learned; that in ", kind, " is not");
    }
    plan.tokenizer = Tokenizer::parse(read_file(kind), kind);
    return;
  }
  const bool byte_pairs = kind == "bpe";
  const Index least = byte_pairs ? BytePairs::kFirstCharacter + 1 : kSpecialTokens + 1;
  plan.fresh = {byte_pairs,
                arguments.number_or("vocabulary", kDefaultVocabulary, least, kLargestVocabulary)};
}

void check_seed(const Arguments& arguments) {
  if (!arguments.has("seed") || number_in<std::uint64_t>(arguments.value("seed"))) return;
  fail_usage("--seed must be a whole number from 0 to ", std::numeric_limits<std::uint64_t>::max(),
             ", not '", arguments.value("seed"), "'");
}

}  // namespace

std::vector<OptionGroup> train_option_groups() {
  return with_standards({
      {"Data (text)",
       {{"source", "F", "source sentences, one per line"},
        {"target", "F", "their translations, line by line"},
        {"pairs", "F", "or both: a sentence, a tab and its translation on each line"},
        {"swap", "", "translate the second column of --pairs into the first"},
        {"valid-source", "F", "sentences to validate with, not trained on"},
        {"valid-target", "F", "their translations"},
        {"hold-out", "N", "or else validate with one source sentence in N (10 or more); 0: do not"},
        {"tokenizer", "KIND",
         "how to cut lines: bpe, into byte pairs, or words, at spaces (5.1), either of them "
         "learned "
         "here; or the file of a tokenizer",
         "bpe"},
        {"vocabulary", "N", "at most N tokens, learned from both sides",
         std::to_string(kDefaultVocabulary)}}},
      {"Model (paper: section 3, Table 3)",
       {{"preset", "NAME",
         "sizes to begin with: tiny, small, or the paper's base or big; "
         "with text, also the schedule of the paper"},
        {"layers", "N", "layers of the encoder, and of the decoder (3.1)"},
        {"d-model", "N", "width of embeddings and sub-layers (3.1)"},
        {"d-ff", "N", "width inside the feed-forward networks (3.3)"},
        {"heads", "N", "attention heads (3.2.2)"},
        {"d-k", "N", "width of a head's queries and keys (3.2.2)", "d-model / heads"},
        {"d-v", "N", "width of a head's values (3.2.2)", "d-model / heads"},
        {"positions", "KIND", "sinusoidal or learned (3.5)"},
        {"max-positions", "N", "the longest sentence, for learned positions"},
        {"norm", "WHERE", "layer norm: post, after the residual as in the paper (3.1), or pre"},
        {"attention-bias", "", "add biases to attention's projections; the paper has none"},
        {"tie-embeddings", "yes|no", "one matrix for both embeddings and the output (3.4)"},
        {"architecture", "NAME", "the kind of model: " + comma_list(architecture_names())},
        {"attention", "KIND",
         "of rnn, gru, lstm: none, bahdanau, luong-dot, luong-general, luong-concat", "none"},
        {"encoder-kernel", "N", "of convs2s: words that a convolution sees, an odd number", "3"},
        {"decoder-kernel", "N", "the same in the decoder: a word and those before it", "3"}}},
      {"Regularisation (paper: section 5.4)",
       {{"dropout", "P", "dropout of sub-layers' outputs and embeddings"},
        {"attention-dropout", "P", "dropout of attention weights"},
        {"relu-dropout", "P", "dropout inside the feed-forward networks"},
        {"label-smoothing", "E", "the share of probability that all tokens get alike"}}},
      {"Training (paper: sections 5.1 to 5.3)",
       {{"steps", "N", "updates of the weights, a resumed run's earlier ones included"},
        {"minutes", "M", "stop and save after this time, whatever --steps says"},
        {"batch-tokens", "N", "the most source, and the most target, tokens of a batch (5.1)"},
        {"accumulate", "N", "batches per update"},
        {"clip", "X", "shorten gradients longer than this; 0: none"},
        {"warmup", "N", "steps until the learning rate peaks (5.3)"},
        {"learning-rate-scale", "X", "multiplies the paper's learning rate (5.3)"},
        {"averaging", "D",
         "decode with a running mean of the weights, of which a step keeps D; 0: none (6.1)"},
        {"validate-every", "N", "steps from one validation to the next"},
        {"patience", "N", "stop after N validations in a row without a gain; 0: never"},
        {"seed", "N", "of weights, data and dropout"},
        {"threads", "N", "processors to use; the result is the same for any number", "all"}}},
      {"The run",
       {{"out", "DIR", "the directory for the model and all that resuming needs", "runs/TASK"},
        {"save-every", "N", "also keep a copy of the weights every N steps; 0: none"},
        {"resume", "DIR",
         "continue the run in DIR; of the other options it goes with --steps, --minutes, "
         "--threads, --save-every, --patience and --quiet, and with those of Data for files that "
         "have moved"},
        {"quiet", "", "say nothing unless something goes wrong"}}},
  });
}

Plan plan_training(const Arguments& arguments) {
  const std::string task = task_of(arguments);
  check_text_options(arguments, task);
  const bool preset_named = task == "text" && arguments.has("preset");
  const Defaults defaults = preset_named ? text_preset_defaults() : defaults_of(task);
  Plan plan;
  plan.settings = defaults.training;
  plan.settings.task = task;
  set_tokenizer(arguments, plan);
  plan.directory = arguments.value_or("out", (std::filesystem::path("runs") / task).string());

  check_seed(arguments);
  plan.model =
      model_settings(arguments, arguments.value_or("preset", defaults.preset), defaults.model);
  plan.longest_sentence = plan_model_of_any_vocabulary(plan.model, "the options").longest_sentence;
  as_usage_error([&] {
    for (const auto& [name, value] : to_settings(plan.settings)) {
      set(plan.settings, name, setting_or(arguments, name, value));
    }
    set_files(arguments, plan.settings);
    check(plan.settings);
  });
  arguments.number_or("batch-tokens", 1, 1, Index{1} << 24);  // as much as any memory holds
  return plan;
}

void check_resume_options(const Arguments& arguments) {
  arguments.check_one_operand();
  for (const auto& [name, value] : arguments.values()) {
    if (kResumeOptions.count(name) > 0) continue;
    fail_usage("--", name, " cannot be given with --resume: it is fixed by the run; what can be ",
               "is --steps, --minutes, --threads, --save-every, --patience, --quiet and, if the ",
               "files have moved, --source, --target, --pairs, --valid-source and --valid-target");
  }
}

void move_files(const Arguments& arguments, TrainingSettings& settings) {
  const Settings old = to_settings(settings);
  for (const char* name : kFileSettings) {
    if (!arguments.has(option_of(name)) || !old.at(name).empty()) continue;
    fail_usage("--", option_of(name), " cannot be given with --resume: it is fixed by the run, ",
               "which has no such file");
  }
  set_files(arguments, settings);

  // A corpus moves as a whole: all that is missing is said at once.
  const Settings files = to_settings(settings);
  std::string missing, options;
  for (const char* name : kFileSettings) {
    const std::string& path = files.at(name);
    std::error_code ignored;
    const std::filesystem::file_type type = std::filesystem::status(path, ignored).type();
    if (path.empty() || type != std::filesystem::file_type::not_found) continue;
    missing += (missing.empty() ? "" : ", ") + path;
    options += (options.empty() ? "--" : ", --") + option_of(name);
  }
  ATTN_CHECK(missing.empty(), "cannot read ", missing, ": No such file or directory; if what the ",
             "run in ", arguments.value("resume"), " learns from has moved, give its place with ",
             options);
}

void use_threads(const Arguments& arguments) {
  if (arguments.has("threads")) {
    set_threads(static_cast<int>(arguments.number_or("threads", 1, 1, 256)));
  }
}

}  // namespace attn::app
