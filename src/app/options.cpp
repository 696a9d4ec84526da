// An option that the help does not list is an error, which suggests one that it does.
#include "app/options.h"

#include <algorithm>
#include <filesystem>
#include <limits>

#include "base/format.h"
#include "base/number.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

namespace attn::app {

namespace fs = std::filesystem;

static bool has_dashes(const std::string& word) {
  return word.rfind("--", 0) == 0;
}

std::string option_of(std::string setting) {
  std::replace(setting.begin(), setting.end(), '_', '-');
  return setting;
}

std::string with_option_names(const std::string& message) {
  const std::vector<std::string> parts = split(message, '`');
  std::string named = parts[0];
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const bool setting = i + 1 < parts.size() && !parts[i].empty() &&
                         parts[i].find_first_not_of("abcdefghijklmnopqrstuvwxyz_") == message.npos;
    named += setting ? "--" + option_of(parts[i]) + parts[i + 1] : '`' + parts[i];
    if (setting) ++i;
  }
  return named;
}

void as_usage_error(const Arguments& arguments, const std::function<void()>& check_settings) {
  try {
    check_settings();
  } catch (const Error& error) {
    std::string message = error.what();
    const std::string place = text(kTheOptions, ": ");
    if (message.compare(0, place.size(), place) == 0) message.erase(0, place.size());
    const std::string option = option_of(message.substr(0, message.find_first_of(" :")));
    const bool known = find_option(arguments.command.options, option) != nullptr;
    if (known) message.replace(0, option.size(), "--" + option);
    throw UsageError(message);
  }
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Option* find_option(const std::vector<Option>& options, const std::string& name) {
  for (const Option& option : options) {
    if (option.name == name) return &option;
  }
  return nullptr;
}

std::string list_of(const std::vector<std::string>& names, const std::string& last) {
  std::string list = comma_list(names);
  const std::size_t comma = list.rfind(", ");
  return comma == list.npos ? list : list.replace(comma, 2, last);
}

Arguments::Arguments(const Program& its_program, const Command& its_command, std::string typed,
                     const std::vector<std::string>& given)
    : program(its_program), command(its_command), called(std::move(typed)) {
  read(given);
  check_words();
  check_options();
}

void Arguments::read(const std::vector<std::string>& given) {
  bool options_ended = false;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const std::string& word = given[i];
    if (options_ended || word.size() < 2 || word[0] != '-') {
      operands.push_back(word);
      continue;
    }
    options_ended = word == "--";
    if (options_ended) continue;

    // Split --name=value and find the option.
    const std::size_t equals = word.find('=');
    const std::string dashed = word.substr(0, equals);
    const std::string name = has_dashes(dashed) ? dashed.substr(2) : dashed;
    const Option* option = find_option(command.options, name);
    if (option == nullptr) {
      std::vector<std::string> known;
      for (const Option& one : command.options) known.push_back(one.name);
      fail_usage(command.name, " has no option ", dashed, hint(program, dashed, known, "--"));
    }
    check_usage(!has(name), "--", name, " is given twice");

    // Its value: what follows the =, or else the next word, unless that is an option itself.
    const bool flag = option->placeholder.empty();
    std::string value;
    if (equals != word.npos) {
      check_usage(!flag, "--", name, " takes no value");
      value = word.substr(equals + 1);
    } else if (!flag) {
      check_usage(i + 1 < given.size() && !has_dashes(given[i + 1]), "--", name,
                  " needs a value: --", name, " ", option->placeholder);
      value = given[++i];
    }
    check_usage(flag || !value.empty(), "--", name, " needs a value that is not empty: --", name,
                " ", option->placeholder);
    // So that a path that begins with a dash can be copied from a message.
    const bool path = option->placeholder == "F" || option->placeholder == "DIR";
    values[name] = (path && value[0] == '-' ? "./" : "") + value;
  }
}

void Arguments::check_words() const {
  const std::size_t most = command.most_words;
  if (most == 0 && !operands.empty()) {
    const bool model = find_option(command.options, "model") != nullptr && !has("model");
    fail_usage("'", operands[0], "' is one word too many: ", command.name, " takes options only",
               model ? "; did you mean --model " + shell_word(operands[0]) + "?" : "");
  }
  if (operands.size() > most) {
    fail_usage("'", operands[most], "' is one word too many",
               most > 1 ? "; write a sentence in quotes" : "");
  }
  if (operands.empty() || command.subjects.empty()) return;
  const std::string& subject = operands[0];
  check_usage(contains(command.subjects, subject), "there is no ", command.subject_kind, " '",
              subject, "', only ", list_of(command.subjects),
              hint(program, subject, command.subjects));
}

void Arguments::check_options() const {
  const std::string subject = command.subjects.empty() || operands.empty() ? "" : operands[0];
  const auto is_for_it = [&](const Option& option) {
    return option.subjects.empty() || contains(option.subjects, subject);
  };
  for (const Option& option : command.options) {
    // Without a subject (train --resume DIR), those of all count.
    check_usage(!has(option.name) || subject.empty() || is_for_it(option), "--", option.name,
                " is for ", command.name, ' ', list_of(option.subjects), ", not ", subject);
  }
  for (const Option& option : command.options) {
    check_usage(!option.required || has(option.name) || !is_for_it(option), command.name,
                subject.empty() ? "" : " ", subject, " needs --", option.name, " ",
                option.placeholder);
  }
}

const std::string& Arguments::subject() const {
  check_usage(!operands.empty(), command.name, " what? ", list_of(command.subjects, " or "));
  return operands[0];
}

// Whether a file is part of a run, or would be if it were written.
static bool is_of_a_run(const fs::path& file) {
  const bool checkpoint = file.parent_path().filename() == "checkpoints";
  if (!checkpoint && kRunFiles.count(file.filename().string()) == 0) return false;
  const fs::path run = (checkpoint ? file.parent_path() : file).parent_path();
  const auto has = [&](const char* name) { return exists((run / name).string()); };
  return has("lock") || has("training.safetensors") ||
         (has("model.safetensors") && has("tokenizer.txt"));  // a copy without the rest
}

const std::string& Arguments::output(const std::string& name) const {
  const std::string& written = value(name);
  for (const auto& [other, read] : values) {
    if (other == name) continue;
    std::vector<std::string> files{read};
    if (other == "model") files = {weights_path(read), tokenizer_path(read)};
    for (const std::string& file : files) {
      std::error_code ignored;  // what is missing is no other file
      check_usage(!fs::equivalent(written, file, ignored), "--", name, " ", shell_word(written),
                  " would replace a file that --", other, " reads; choose another name");
    }
  }
  // By its name, and by what links in its path lead to.
  std::error_code ignored;
  const fs::path target =
      fs::weakly_canonical(fs::absolute(written_path(written), ignored), ignored);
  check_usage(!is_of_a_run(written) && !is_of_a_run(target), "--", name, " ", shell_word(written),
              " would replace a file of a run; choose another name");
  return written;
}

void Arguments::refuse(const std::vector<std::string>& names, const std::string& why) const {
  for (const std::string& name : names) check_usage(!has(name), "--", name, ' ', why);
}

const std::string& Arguments::value(const std::string& name) const {
  const auto given = values.find(name);
  if (given != values.end()) return given->second;
  const Option* option = find_option(command.options, name);
  ATTN_CHECK(option != nullptr, "there is no option --", name);
  return option->by_default;
}

std::string Arguments::value_or(const std::string& name, const std::string& otherwise) const {
  return has(name) ? value(name) : otherwise;
}

const std::string& Arguments::choice(const std::string& name,
                                     const std::vector<std::string>& words) const {
  if (contains(words, value(name))) return value(name);
  fail_usage("--", name, ": expected ", list_of(words, " or "), ", not '", value(name), "'");
}

// The number that an option's value spells. Throws unless it is one from least to most.
template <class Number>
static Number checked(const Arguments& arguments, const std::string& name, Number least,
                      Number most, const std::string& expected) {
  const std::optional<Number> number = number_in<Number>(arguments.value(name));
  if (number && *number >= least && *number <= most) return *number;
  fail_usage("--", name, " must be ", expected, ", not '", arguments.value(name), "'");
}

Index Arguments::number(const std::string& name, Index least, Index most) const {
  return checked(*this, name, least, most,
                 least == most ? text(least) : text("a whole number from ", least, " to ", most));
}

Index Arguments::number_or(const std::string& name, Index otherwise, Index least,
                           Index most) const {
  return has(name) ? number(name, least, most) : otherwise;
}

double Arguments::real(const std::string& name, double least, double most) const {
  return checked(*this, name, least, most,
                 text("a number from ", shortest(least), " to ", shortest(most)));
}

double Arguments::positive_or(const std::string& name, double otherwise, Index most) const {
  if (!has(name)) return otherwise;
  return checked(*this, name, std::numeric_limits<double>::denorm_min(), to_double(most),
                 text("more than 0 and at most ", most));
}

std::uint64_t seed_of(const Arguments& arguments) {
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  return checked(arguments, "seed", std::uint64_t{0}, kMost,
                 text("a whole number from 0 to ", kMost));
}

std::unique_ptr<SequenceModel> load_model(const Arguments& arguments, Metadata* metadata) {
  return attn::load_model(arguments.value("model"), arguments.program.plan_model, metadata);
}

TrainedModel load_trained_model(const Arguments& arguments) {
  return attn::load_trained_model(arguments.value("model"), arguments.program.plan_model);
}

TrainedModel load_translator(const Arguments& arguments) {
  TrainedModel trained = load_trained_model(arguments);
  ATTN_CHECK(trained.context == 0, arguments.value("model"),
             ": a language model, which translates nothing; use attention-lab generate, or ",
             "evaluate with --text");
  return trained;
}

BeamOptions beam_options(const Arguments& arguments) {
  BeamOptions options;
  options.beam = arguments.number("beam", 1, 1000);
  options.alpha = arguments.real("alpha", 0, 10);
  options.max_extra = arguments.number("max-extra", 0, 100000);
  return options;
}

}  // namespace attn::app
