// The commands of `attention`, told of more models and data, and those that only the laboratory
// has.
#include "lab/commands/commands.h"

#include <map>

#include "app/commands.h"
#include "base/check.h"
#include "lab/defaults.h"
#include "lab/models.h"
#include "lab/tasks.h"

namespace attn::app {

namespace {

// By the command's name, as in app/commands.cpp.
const std::map<std::string, std::string> kHelpTexts{
#include "lab/help_texts.inc"
};

// "attention train copy" is "attention-lab train copy" here.
std::string renamed(std::string help, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const std::string called = "attention " + name;
    for (std::size_t at = help.find(called); at != help.npos; at = help.find(called, at + 1)) {
      const bool word = at > 0 && (help[at - 1] == '-' || help[at - 1] == '_');
      if (!word) help.insert(at + std::string("attention").size(), "-lab");
    }
  }
  return help;
}

Program make_program() {
  Program program = paper_program();
  program.name = "attention-lab";
  program.about =
      "attention-lab is attention with what the Transformer is compared with: other models,\n"
      "text that a model writes, PyTorch's files and a stopwatch.\n";
  program.subjects = all_subjects();
  program.architectures = all_architectures();
  program.makers = {plan_any_model, any_training_data};
  program.defaults = any_defaults_of;
  program.elsewhere = {};

  std::vector<std::string> names;
  for (const Command& one : program.commands) names.push_back(one.name);
  for (const auto& [name, help] : kHelpTexts) names.push_back(name);
  for (Command& one : program.commands) {
    const bool train = one.name == "train";
    RunCommand* const run = one.name == "evaluate"  ? run_any_evaluate
                            : one.name == "forward" ? run_any_forward
                                                    : one.run;
    one = command(one.name, renamed(help_text(one.name, true), names), run, one.most_words,
                  one.subject_kind, train ? names_of(program.subjects) : one.subjects);
  }
  const auto add = [&](const std::string& name, RunCommand* run, std::size_t most_words = 0,
                       const std::string& subject_kind = "",
                       const std::vector<std::string>& subjects = {}) {
    program.commands.push_back(
        command(name, kHelpTexts.at(name), run, most_words, subject_kind, subjects));
  };
  add("generate", run_generate);
  add("export", run_export);
  add("import", run_import);
  add("benchmark", run_benchmark, 1, "benchmark", {"matmul", "layers", "step", "decode"});
  return program;
}

}  // namespace

const Program& laboratory_program() {
  static const Program program = make_program();
  return program;
}

TrainedModel load_writer(const Arguments& arguments) {
  TrainedModel trained = load_trained_model(arguments);
  ATTN_CHECK(trained.context > 0, arguments.value("model"),
             ": a model of sentence pairs, not a language model; use attention-lab translate, or ",
             "evaluate with --source and --target");
  return trained;
}

}  // namespace attn::app
