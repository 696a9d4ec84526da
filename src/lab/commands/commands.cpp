// The commands of `attention`, with more models and data, and those that only the laboratory has.
#include "lab/commands/commands.h"

#include <map>

#include "base/check.h"
#include "lab/defaults.h"
#include "lab/language/decoder_only.h"
#include "lab/language/language_data.h"
#include "lab/models.h"

namespace attn::app {

namespace {

// By the command's name, as in app/program.cpp.
const std::map<std::string, std::string> kHelpTexts{
#include "lab/help_texts.inc"
};

Program make_program() {
  Program program;
  program.name = "attention-lab";
  program.subjects = all_subjects();
  program.architectures = all_architectures();
  program.plan_model = plan_any_model;
  program.make_data = any_training_data;
  add_paper_commands(program);
  for (Command& command : program.commands) {
    if (command.name == "evaluate") command.run = run_any_evaluate;
  }
  add_command(program, "generate", kHelpTexts.at("generate"), run_generate);
  add_command(program, "export", kHelpTexts.at("export"), run_export);
  add_command(program, "import", kHelpTexts.at("import"), run_import);
  add_command(program, "benchmark", kHelpTexts.at("benchmark"), run_benchmark, 1, "benchmark",
              {"matmul", "layers", "step", "decode"});
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
  ATTN_CHECK(context == 0 || decoder == nullptr || !decoder->config().loss_on_all, where,
             ": a model of sentence pairs, trained on the sources too, is no language model");
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
