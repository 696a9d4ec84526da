// Command lines. A command's table of options drives parsing, help and error messages.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/format.h"
#include "base/real.h"

namespace attn::app {

// An error that the user can fix by typing the command differently. The program exits 2.
struct UsageError : Error {
  using Error::Error;
};

template <class... Parts>
[[noreturn]] void fail_usage(const Parts&... parts) {
  throw UsageError(text(parts...));
}

struct Option {
  std::string name;         // "d-model", without the dashes
  std::string placeholder;  // what help calls its value, "N"; empty for a flag
  std::string meaning;
  std::string standard = {};  // the default as help shows it; empty: there is none
  bool required = false;
};

struct OptionGroup {
  std::string title;
  std::vector<Option> options;
};

class Arguments;

struct Command {
  std::string name;
  std::string summary;             // one line, for the list of commands
  std::vector<std::string> usage;  // what comes after "attention"
  std::string description;         // paragraphs, with an empty line between them
  std::vector<std::string> examples;
  std::vector<OptionGroup> groups;
  std::string operands;  // the words other than options, "copy|reverse"; empty: there are none
  int (*run)(const Arguments&);
};

// The option of that name; null if none of the groups has it.
const Option* find_option(const std::vector<OptionGroup>& groups, const std::string& name);

// What the user gave.
class Arguments {
 public:
  // Understands --name value, --name=value and --flag; words after a lone -- are operands. Throws
  // UsageError for an unknown option (naming the nearest), a missing or superfluous value, an
  // option given twice, a missing required one, and for operands if the command takes none.
  Arguments(const Command& command, std::string program, const std::vector<std::string>& given);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  // The value of an option that was given; empty for a flag.
  const std::string& value(const std::string& name) const;
  std::string value_or(const std::string& name, const std::string& otherwise) const;
  // A whole number in a range. Throws UsageError for anything else.
  Index number_or(const std::string& name, Index otherwise, Index least, Index most) const;
  // Whole numbers with commas between them, likewise.
  std::vector<Index> numbers_or(const std::string& name, const std::vector<Index>& otherwise,
                                Index least, Index most) const;
  // Any number in a range, likewise.
  double real_or(const std::string& name, double otherwise, double least, double most) const;
  // The same for a number above 0.
  double positive_or(const std::string& name, double otherwise, Index most) const;

  const std::map<std::string, std::string>& values() const { return values_; }
  const std::vector<std::string>& operands() const { return operands_; }
  // Throws UsageError for a second one.
  void check_one_operand() const;
  // Throws UsageError if the file that the option says to write is one that another of these
  // options says to read, or is in a directory (a run) that is read.
  void check_output(const std::string& name, const std::vector<std::string>& inputs) const;
  // The program as it was called, for commands that the user is to copy.
  const std::string& program() const { return program_; }

 private:
  std::string program_;
  std::map<std::string, std::string> values_;  // by the option's name
  std::vector<std::string> operands_;
};

}  // namespace attn::app
