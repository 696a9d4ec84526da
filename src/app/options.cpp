#include "app/options.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/settings.h"
#include "text/lines.h"

namespace attn::app {

namespace {

bool has_dashes(const std::string& word) {
  return word.rfind("--", 0) == 0;
}

std::vector<std::string> option_names(const Command& command) {
  std::vector<std::string> names{"help"};
  for (const OptionGroup& group : command.groups) {
    for (const Option& option : group.options) names.push_back(option.name);
  }
  return names;
}

}  // namespace

const Option* find_option(const std::vector<OptionGroup>& groups, const std::string& name) {
  for (const OptionGroup& group : groups) {
    for (const Option& option : group.options) {
      if (option.name == name) return &option;
    }
  }
  return nullptr;
}

Arguments::Arguments(const Command& command, std::string program,
                     const std::vector<std::string>& given)
    : program_(std::move(program)) {
  bool options_ended = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (options_ended || word.size() < 2 || word[0] != '-') {
      operands_.push_back(word);
      continue;
    }
    if (word == "--") {
      options_ended = true;
      continue;
    }

    // Split --name=value and find the option.
    const std::size_t equals = word.find('=');
    const std::string dashed = word.substr(0, equals);
    const std::string name = has_dashes(dashed) ? dashed.substr(2) : dashed;
    const Option* option = find_option(command.groups, name);
    if (option == nullptr) {
      const std::string bare =
          dashed.substr(std::min(dashed.find_first_not_of('-'), dashed.size()));
      fail_usage(command.name, " has no option ", dashed,
                 suggestion(bare, option_names(command), "--"));
    }
    if (has(name)) fail_usage("--", name, " is given twice");

    // Its value: what follows the =, or else the next word, unless that is an option itself.
    std::string value;
    if (option->placeholder.empty()) {
      if (equals != word.npos) fail_usage("--", name, " takes no value");
    } else if (equals != word.npos) {
      value = word.substr(equals + 1);
    } else if (i + 1 < given.size() && !has_dashes(given[i + 1])) {
      value = given[++i];
    } else {
      fail_usage("--", name, " needs a value: --", name, " ", option->placeholder);
    }
    if (value.empty() && !option->placeholder.empty()) {
      fail_usage("--", name, " needs a value that is not empty: --", name, " ",
                 option->placeholder);
    }
    values_[name] = value;
  }

  if (command.operands.empty() && !operands_.empty()) {
    const bool model = find_option(command.groups, "model") != nullptr && !has("model");
    fail_usage("'", operands_[0], "' is one word too many: ", command.name, " takes options only",
               model ? "; did you mean --model " + shell_word(operands_[0]) + "?" : "");
  }
  for (const OptionGroup& group : command.groups) {
    for (const Option& option : group.options) {
      if (!option.required || has(option.name)) continue;
      fail_usage(command.name, " needs --", option.name, " ", option.placeholder);
    }
  }
}

void Arguments::check_one_operand() const {
  if (operands_.size() > 1) fail_usage("'", operands_[1], "' is one word too many");
}

void Arguments::check_output(const std::string& name,
                             const std::vector<std::string>& inputs) const {
  namespace fs = std::filesystem;
  const fs::path output = value(name);
  for (const std::string& input : inputs) {
    if (!has(input)) continue;
    std::error_code ignored;  // what is missing is no other file
    const fs::path folder = fs::absolute(output, ignored).parent_path();
    const bool within = fs::exists(output, ignored) && fs::is_directory(value(input), ignored) &&
                        fs::equivalent(folder, value(input), ignored);
    if (within || fs::equivalent(output, value(input), ignored)) {
      fail_usage("--", name, " ", shell_word(value(name)), " would replace a file that --", input,
                 " reads; choose another name");
    }
  }
}

const std::string& Arguments::value(const std::string& name) const {
  const auto found = values_.find(name);
  ATTN_CHECK(found != values_.end(), "--", name, " was not given");
  return found->second;
}

std::string Arguments::value_or(const std::string& name, const std::string& otherwise) const {
  return has(name) ? value(name) : otherwise;
}

Index Arguments::number_or(const std::string& name, Index otherwise, Index least,
                           Index most) const {
  if (!has(name)) return otherwise;
  const Index number = number_in<Index>(value(name)).value_or(least - 1);
  if (number < least || number > most) {
    const std::string expected =
        least == most ? text(least) : text("a whole number from ", least, " to ", most);
    fail_usage("--", name, " must be ", expected, ", not '", value(name), "'");
  }
  return number;
}

std::vector<Index> Arguments::numbers_or(const std::string& name,
                                         const std::vector<Index>& otherwise, Index least,
                                         Index most) const {
  if (!has(name)) return otherwise;
  std::vector<Index> numbers;
  const std::string& list = value(name);
  for (const std::string& number : split(list, ',')) {
    numbers.push_back(number_in<Index>(number).value_or(least - 1));
    if (numbers.back() < least || numbers.back() > most) {
      fail_usage("--", name, " must be whole numbers from ", least, " to ", most,
                 " with commas between, not '", list, "'");
    }
  }
  return numbers;
}

double Arguments::real_or(const std::string& name, double otherwise, double least,
                          double most) const {
  if (!has(name)) return otherwise;
  const double number = number_in<double>(value(name)).value_or(least - 1);
  if (!(number >= least && number <= most)) {
    fail_usage("--", name, " must be a number from ", shortest(least), " to ", shortest(most),
               ", not '", value(name), "'");
  }
  return number;
}

double Arguments::positive_or(const std::string& name, double otherwise, Index most) const {
  if (!has(name)) return otherwise;
  const double number = number_in<double>(value(name)).value_or(0);
  if (!(number > 0 && number <= static_cast<double>(most))) {
    fail_usage("--", name, " must be more than 0 and at most ", most, ", not '", value(name), "'");
  }
  return number;
}

}  // namespace attn::app
