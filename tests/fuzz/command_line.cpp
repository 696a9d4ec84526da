// Command lines: the first word names the command, one word a line. Nothing is run, but everything
// is read that can be read of options before a file is opened.
#include <algorithm>

#include "app/train.h"
#include "fuzz/fuzz.h"
#include "model/model_plan.h"
#include "text/lines.h"

using namespace attn;
using namespace attn::app;

namespace {

// What a command can ask of an option's value.
void read_values(const Command& command, const Arguments& arguments) {
  for (const auto& [name, value] : arguments.values) {
    const Option* option = find_option(command.options, name);
    fuzz::require(option != nullptr, "only options that there are can be given");
    fuzz::require(option->placeholder.empty() == value.empty(), "flags have no value, others do");
    fuzz::accepts([&, &option_name = name] {
      const Index number = arguments.number_or(option_name, 3, 1, 1 << 20);
      fuzz::require(number >= 1 && number <= 1 << 20, "numbers are in their range");
    });
    fuzz::accepts([&, &option_name = name] {
      const double number = arguments.real(option_name, 0, 1);
      fuzz::require(number >= 0 && number <= 1, "real numbers are in their range");
    });
    fuzz::accepts([&, &option_name = name] {
      const double number = arguments.positive_or(option_name, 0.5, 9);
      fuzz::require(number > 0 && number <= 9, "positive numbers are in their range");
    });
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::vector<Command>& commands = paper_program().commands;
  std::vector<std::string> words = split(fuzz::view(data, size), '\n');
  const auto command = std::find_if(commands.begin(), commands.end(),
                                    [&](const Command& c) { return c.name == words[0]; });
  if (command == commands.end()) return 0;
  words.erase(words.begin());
  fuzz::accepts([&] {
    const Arguments arguments(paper_program(), *command, "attention", words);
    read_values(*command, arguments);
    if (command->name != "train") return;
    fuzz::accepts([&] { check_resume_options(arguments); });
    const RunPlan plan = plan_run(arguments);
    check(plan.training);  // what was accepted can be
    plan_transformer(with_any_vocabulary(plan.model), "plan");
  });
  return 0;
}
