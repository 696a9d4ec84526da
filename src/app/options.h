// Command lines. The help of a command lists its options, and they are read as it says.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "app/program.h"
#include "base/check.h"
#include "base/real.h"
#include "decoding/beam_search.h"

namespace attn::app {

// An error that the user can fix by typing the command differently. The program exits 2.
struct UsageError : Error {
  using Error::Error;
};

template <class... Parts>
[[noreturn]] void fail_usage(const Parts&... parts) {
  throw UsageError(text(parts...));
}
template <class... Parts>
void check_usage(bool right, const Parts&... parts) {
  if (!right) fail_usage(parts...);
}

// Null if there is none of that name.
const Option* find_option(const std::vector<Option>& options, const std::string& name);

// What the user gave.
struct Arguments {
  const Program& program;
  const Command& command;
  const std::string called;                   // the program's name as it was typed, to be copied
  std::map<std::string, std::string> values;  // by the option's name
  std::vector<std::string> operands;

  // Understands --name value, --name=value and --flag; words after a lone -- are operands. Throws
  // UsageError for what the command's help does not allow. Program and command must outlive this.
  Arguments(const Program& its_program, const Command& its_command, std::string typed,
            const std::vector<std::string>& given);

  bool has(const std::string& name) const { return values.count(name) > 0; }
  // Throws UsageError, "--name" and `why`, if one of these was given.
  void refuse(const std::vector<std::string>& names, const std::string& why) const;
  // The value of an option, the default if it was not given; empty for a flag.
  const std::string& value(const std::string& name) const;
  std::string value_or(const std::string& name, const std::string& otherwise) const;
  // What follows throws UsageError, which says what is expected, for any other value. A word:
  const std::string& choice(const std::string& name, const std::vector<std::string>& words) const;
  // A whole number in a range:
  Index number(const std::string& name, Index least, Index most) const;
  Index number_or(const std::string& name, Index otherwise, Index least, Index most) const;
  // Any number in a range, or above 0:
  double real(const std::string& name, double least, double most) const;
  double positive_or(const std::string& name, double otherwise, Index most) const;
  // The command's subject. Throws UsageError if none was given.
  const std::string& subject() const;
  // The file to write. Throws UsageError if it is read as well, or is one of a run.
  const std::string& output(const std::string& name) const;

 private:
  void read(const std::vector<std::string>& given);
  void check_words() const;
  void check_options() const;
};

// The option of a setting: "d-model" of "d_model".
std::string option_of(std::string setting);
// The message of the library's, in which a setting such as `d_model` is the option --d-model.
std::string with_option_names(const std::string& message);
// How the library's messages name the source of settings.
constexpr const char* kTheOptions = "the options";
// Turns what a check throws, which may begin with a setting, into a UsageError naming the option.
void as_usage_error(const Arguments& arguments, const std::function<void()>& check_settings);

bool contains(const std::vector<std::string>& names, const std::string& name);
// "a, b and c"
std::string list_of(const std::vector<std::string>& names, const std::string& last = " and ");

// --beam, --alpha and --max-extra.
BeamOptions beam_options(const Arguments& arguments);
// --seed. Throws UsageError unless it is a whole number of 64 bits.
std::uint64_t seed_of(const Arguments& arguments);

constexpr Index kLargestVocabulary = 1 << 24;

// The model in --model, alone or with its tokenizer.
std::unique_ptr<SequenceModel> load_model(const Arguments& arguments, Metadata* metadata = nullptr);
TrainedModel load_trained_model(const Arguments& arguments);
// The same, for sentence pairs; the Error for a language model says what to do instead.
TrainedModel load_translator(const Arguments& arguments);

}  // namespace attn::app
