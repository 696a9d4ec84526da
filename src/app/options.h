// Command lines. The help of a command lists its options, and they are read as it says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/printing.h"
#include "base/real.h"
#include "decoding/beam_search.h"
#include "training/run_directory.h"

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
  std::string name;             // "d-model", without the dashes
  std::string placeholder;      // what help calls its value, "N"; empty for a flag
  std::string by_default = {};  // as help shows it; empty: there is none
  bool required = false;
  std::vector<std::string> subjects = {};  // of the command's, those that take it; empty: all
};

class Arguments;
using RunCommand = int(const Arguments& arguments);  // returns the exit status

constexpr std::size_t kAnyNumber = std::size_t{1} << 30;  // of words

struct Command {
  std::string name;
  std::string help;  // what it does, and its options, from which `options` follow
  RunCommand* run;
  std::vector<Option> options;
  std::size_t most_words = 0;  // how many words it takes besides options
  // Of `train copy` the subject is "copy": what kind of thing that is, "task", and all there are.
  std::string subject_kind = {};
  std::vector<std::string> subjects = {};
};

// Null if there is none of that name.
const Option* find_option(const std::vector<Option>& options, const std::string& name);

// What the user gave.
class Arguments {
 public:
  // Understands --name value, --name=value and --flag, -m for --model, -o for --out, and 1e6 for a
  // whole number; words after a lone -- are operands. Throws UsageError for an unknown option
  // (naming the nearest), a missing or superfluous value, an option given twice or with the wrong
  // subject, a missing required one, an unknown subject, and operands if the command takes none.
  Arguments(Command command, std::string program, const std::vector<std::string>& given);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  // Throws UsageError, "--name" and `why`, if one of these was given.
  void refuse(const std::vector<std::string>& names, const std::string& why) const;
  // The value of an option, the default if it was not given; empty for a flag.
  const std::string& value(const std::string& name) const;
  std::string value_or(const std::string& name, const std::string& otherwise) const;
  // One of several words. Throws UsageError, naming them, for any other.
  const std::string& choice(const std::string& name, const std::vector<std::string>& words) const;
  // A whole number in a range. Throws UsageError for anything else.
  Index number(const std::string& name, Index least, Index most) const;
  Index number_or(const std::string& name, Index otherwise, Index least, Index most) const;
  // Whole numbers with commas between them, likewise.
  std::vector<Index> numbers(const std::string& name, Index least, Index most) const;
  // Any number in a range, likewise.
  double real(const std::string& name, double least, double most) const;
  // The same for a number above 0.
  double positive_or(const std::string& name, double otherwise, Index most) const;

  const std::map<std::string, std::string>& values() const { return values_; }
  const std::vector<std::string>& operands() const { return operands_; }
  // The command's subject. Throws UsageError if none was given.
  const std::string& subject() const;
  // The file that the option says to write. Throws UsageError if it is one that another of these
  // options says to read, or is in a directory (a run) that is read; and if it is one of any run.
  const std::string& output(const std::string& name,
                            const std::vector<std::string>& inputs = {}) const;
  // The program as it was called, for commands that the user is to copy.
  const std::string& program() const { return program_; }

 private:
  void read(const std::vector<std::string>& given);
  void check_words() const;
  void check_options() const;

  const Command command_;
  const std::string program_;
  std::map<std::string, std::string> values_;  // by the option's name
  std::vector<std::string> operands_;
};

bool contains(const std::vector<std::string>& names, const std::string& name);
// "a, b and c"
std::string list_of(const std::vector<std::string>& names, const std::string& last = " and ");

// Options of several commands: --threads; --beam, --alpha and --max-extra.
void use_threads(const Arguments& arguments);
BeamOptions beam_options(const Arguments& arguments);
// --seed. Throws UsageError unless it is a whole number of 64 bits.
std::uint64_t seed_of(const Arguments& arguments);

// The model in --model, with its tokenizer. Throws Error, which says what to do instead, if it is a
// language model and one of sentence pairs is needed, or the other way round.
TrainedModel load_translator(const Arguments& arguments);
TrainedModel load_writer(const Arguments& arguments);

}  // namespace attn::app
