// The commands of `attention`, with more models and data, and those that only the laboratory has.
#include "lab/commands/commands.h"

#include <map>

#include "app/commands.h"
#include "base/check.h"
#include "lab/defaults.h"
#include "lab/language/decoder_only.h"
#include "lab/language/language_data.h"
#include "lab/models.h"

namespace attn::app {

namespace {

// By the command's name, as in app/commands.cpp.
const std::map<std::string, std::string> kHelpTexts{
#include "lab/help_texts.inc"
};

Program make_program() {
  Program program = paper_program();
  program.name = "attention-lab";
  program.subjects = all_subjects();
  program.architectures = all_architectures();
  program.makers = {plan_any_model, any_training_data};
  program.defaults = any_defaults_of;
  program.elsewhere = {};
  for (Command& one : program.commands) {
    RunCommand* const run = one.name == "evaluate"  ? run_any_evaluate
                            : one.name == "forward" ? run_any_forward
                                                    : one.run;
    const bool train = one.name == "train";
    one = command(one.name, help_text(one.name, program.name), run, one.most_words,
                  one.subject_kind, train ? names_of(program.subjects) : one.subjects);
  }
  const auto add = [&](const std::string& name, RunCommand* run) {
    program.commands.push_back(command(name, kHelpTexts.at(name), run));
  };
  add("generate", run_generate);
  add("export", run_export);
  add("import", run_import);
  program.commands.push_back(command("benchmark", kHelpTexts.at("benchmark"), run_benchmark, 1,
                                     "benchmark", {"matmul", "layers", "step", "decode"}));
  return program;
}

}  // namespace

const Program& laboratory_program() {
  static const Program program = make_program();
  return program;
}

void check_context(const SequenceModel& model, Index context, const std::string& where) {
  const auto* const decoder = dynamic_cast<const DecoderOnly*>(&model);
  const Index most = decoder == nullptr ? kAnyLength : longest_window(decoder->config());
  ATTN_CHECK(context <= most, where, ": a context of ", context, " tokens, but the model has ",
             "learned ", most, " positions");
}

TrainedModel load_writer(const Arguments& arguments) {
  TrainedModel trained = load_trained_model(arguments);
  ATTN_CHECK(trained.context > 0, arguments.value("model"),
             ": a model of sentence pairs, not a language model; use attention-lab translate, or ",
             "evaluate with --source and --target");
  check_context(*trained.model, trained.context, arguments.value("model"));
  return trained;
}

}  // namespace attn::app
