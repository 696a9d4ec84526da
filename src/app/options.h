// Command lines. The help of a command lists its options, and they are read as it says.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "app/program.h"
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

// Null if there is none of that name.
const Option* find_option(const std::vector<Option>& options, const std::string& name);

// What the user gave.
class Arguments {
 public:
  // Understands --name value, --name=value and --flag; words after a lone -- are operands. Throws
  // UsageError for an unknown option (naming the nearest), a missing or superfluous value, an
  // option given twice or with the wrong subject, a missing required one, an unknown subject, and
  // operands if the command takes none. called: the program's name as it was typed, for commands
  // that the user is to copy. Both references must outlive this.
  Arguments(const Program& program, const Command& command, std::string called,
            const std::vector<std::string>& given);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  // Whether it could have been given.
  bool takes(const std::string& name) const {
    return find_option(command_.options, name) != nullptr;
  }
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
  // Any number in a range, likewise.
  double real(const std::string& name, double least, double most) const;
  // The same for a number above 0.
  double positive_or(const std::string& name, double otherwise, Index most) const;

  const std::map<std::string, std::string>& values() const { return values_; }
  const std::vector<std::string>& operands() const { return operands_; }
  // The command's subject. Throws UsageError if none was given.
  const std::string& subject() const;
  // The file that the option says to write. Throws UsageError if another option names it, too, or
  // if it is one of a run.
  const std::string& output(const std::string& name) const;
  const Program& program() const { return program_; }
  const std::string& called() const { return called_; }

 private:
  void read(const std::vector<std::string>& given);
  void check_words() const;
  void check_options() const;

  const Program& program_;
  const Command& command_;
  const std::string called_;
  std::map<std::string, std::string> values_;  // by the option's name
  std::vector<std::string> operands_;
};

// The message of the library's, in which a setting such as `d_model` is the option --d-model.
std::string with_option_names(const std::string& message);

bool contains(const std::vector<std::string>& names, const std::string& name);
// "a, b and c"
std::string list_of(const std::vector<std::string>& names, const std::string& last = " and ");

// Options of several commands: --threads; --beam, --alpha and --max-extra.
void use_threads(const Arguments& arguments);
BeamOptions beam_options(const Arguments& arguments);
// --seed. Throws UsageError unless it is a whole number of 64 bits.
std::uint64_t seed_of(const Arguments& arguments);

// The model in --model, alone or with its tokenizer.
std::unique_ptr<SequenceModel> load_model(const Arguments& arguments);
TrainedModel load_trained_model(const Arguments& arguments);
// The latter, for sentence pairs. Throws Error, which says what to do instead, if it is a language
// model.
TrainedModel load_translator(const Arguments& arguments);

}  // namespace attn::app
