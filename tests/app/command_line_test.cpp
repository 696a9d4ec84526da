#include <doctest/doctest.h>

#include "app/options.h"
#include "storage/atomic_file.h"
#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("command line");

TEST_CASE(
    "what is wrong with a command line is said, with the nearest right word, before any work") {
  struct Bad {
    std::string arguments;
    std::string message;  // a part of it
  };
  const Bad all[] = {
      {"", "a command is missing"},
      {"trian copy", "there is no command trian; did you mean train?"},
      {"TRAIN copy", "there is no command TRAIN; did you mean train?"},
      {"benchmark matmul", "there is no command benchmark; attention-lab has it\n"},
      {"help generate", "there is no command generate; attention-lab has it\n"},
      {"train language",
       "there is no task 'language', only copy, reverse and text; attention-lab has it\n"},
      {"train copy --architecture lstm",
       "train has no option --architecture; attention-lab has it\n"},
      {"hlep", "there is no command hlep; did you mean help?"},
      {"train COPY", "there is no task 'COPY', only copy, reverse and text; did you mean copy?"},
      {"train copy --Steps 8", "train has no option --Steps; did you mean --steps?"},
      {"--model x", "a command must come first, not --model"},
      {"train", "train what? copy, reverse or text"},
      {"train revers", "there is no task 'revers', only copy, reverse and text; did you mean"},
      {"train copy reverse", "'reverse' is one word too many"},
      {"train copy --batch 8", "train has no option --batch; did you mean --batch-tokens?"},
      {"train copy --zzzzzz", "train has no option --zzzzzz\n"},
      {"train copy --steps", "--steps needs a value: --steps N"},
      {"train copy --steps --quiet", "--steps needs a value: --steps N"},
      {"train copy --out=", "--out needs a value that is not empty"},
      {"train copy --quiet=yes", "--quiet takes no value"},
      {"train copy --steps 1 --steps=2", "--steps is given twice"},
      {"translate", "translate needs --model DIR"},
      {"translate sentence --model x",
       "'sentence' is one word too many: translate takes options only\n"},
      {"inspect runs/copy",
       "'runs/copy' is one word too many: inspect takes options only; did you "
       "mean --model runs/copy?"},
      {"translate --model x --max-extra -1", "--max-extra must be a whole number from 0 to"},
      {"evaluate --model x --source y", "evaluate needs --target F"},
      {"inspect", "inspect needs either --model DIR or --preset NAME --vocabulary N"},
      {"inspect --model x --vocabulary 9", "--vocabulary goes with --preset"},
      {"inspect --preset base", "--preset needs --vocabulary N"},
      {"inspect --preset huge --vocabulary 9", "unknown preset 'huge'; there are: tiny"},
      {"inspect --preset base --vocabulary 0", "--vocabulary must be a whole number from 4 to"},
      {"attend a", "attend needs --model DIR"},
      {"attend --model x a b c", "'c' is one word too many; write a sentence in quotes"},
      {"forward --model x --source-ids a --target-ids b", "forward needs --out F"},
      {"train copy --steps ten", "--steps: expected a whole number, not 'ten'"},
      {"train copy --batch-tokens 0", "--batch-tokens must be 1 to"},
      {"train copy --max-positions 40",
       "--max-positions is for --positions learned; sinusoidal ones have no limit"},
      {"train copy --positions none --max-positions 40",
       "--max-positions is for --positions learned; none has no limit"},
      {"tokenizer train --source x --out y --vocabulary 9",
       "--vocabulary must be a whole number from 261 to 16777216"},
      {"train text --source x --target y --vocabulary 9",
       "--vocabulary must be a whole number from 261 to 16777216"},
      {"train copy --clip nan", "--clip must be 0 to 1000000000, not nan"},
      {"train copy --learning-rate-scale 1e30",
       "--learning-rate-scale must be 1e-12 to 1000000000, not 1e+30"},
      {"train copy --dropout 1", "--dropout must be at least 0 and less than 1, not 1\n"},
      {"train copy --seed -1", "--seed must be a whole number from 0 to 18446744073709551615"},
      {"train copy --threads 0", "--threads must be a whole number from 1 to 256, not '0'"},
      {"train copy --minutes 0", "--minutes must be more than 0"},
      {"train copy --save-every -5", "--save-every must be 0 to"},
      {"train copy --vocabulary 100", "--vocabulary is for train text, not copy"},
      {"train copy --source x", "--source is for train text"},
      {"train copy --heads 3", "a d_model of 64 cannot be shared out among 3 heads"},
      {"train copy --layers 0", "--layers must be 1 to"},
      {"train copy --relu-dropout x", "--relu-dropout: expected a number, not 'x'"},
      {"train copy --norm middle", "--norm: expected post or pre, not 'middle'"},
      {"train copy --positions learned --max-positions 9",
       "--max-positions 9 is too few: sentences take up to 21"},
      {"train text", "train text needs --source F, or --pairs F for both sides in one file\n"},
      {"train text --source x", "train text needs --target F"},
      {"train text --source x --target y --valid-source z", "--valid-source and --valid-target"},
      {"train text --source x --target y --swap", "--swap goes with --pairs"},
      {"train text --pairs x --source y",
       "--source does not go with --pairs, which holds both sides"},
      {"train text --pairs x --tokenizer letters",
       "--tokenizer: expected bpe, words, char or the file of a tokenizer; there is no 'letters'"},
      {"train text --pairs x --hold-out 10 --valid-source y --valid-target z",
       "--hold-out is for when there is no --valid-source"},
      {"train text --pairs x --hold-out 1",
       "--hold-out 1 holds back one in 1, too many to do without; give 10 or more"},
      {"train text --pairs x --hold-out 9",
       "--hold-out 9 holds back one in 9, too many to do without; give 10 or more"},
      {"train copy --tokenizer bpe", "--tokenizer is for train text"},
      {"train copy --patience 3", "--patience is for files; copy ends when it is solved"},
      {"train copy --keep best", "--keep is for other tasks; copy keeps the weights that solve it"},
  };
  for (const Bad& bad : all) {
    CAPTURE(bad.arguments);
    const Outcome outcome = run(bad.arguments);
    check_fails(outcome, "attention: error: " + bad.message, 2);
    CHECK(contains(outcome.err, "--help'.\n"));
  }
}

TEST_CASE("help of every command names every option and fits 80 columns") {
  for (const app::Command& command : app::paper_program().commands) {
    CAPTURE(command.name);
    const Outcome outcome = worked(run(command.name + " --help all"));
    CHECK(outcome.err.empty());
    CHECK(outcome.out == app::command_help(command, true));
    for (const app::Option& option : command.options) {
      CHECK(contains(
          outcome.out,
          "\n  --" + option.name + (option.placeholder.empty() ? " " : " " + option.placeholder)));
    }
    std::size_t begin = 0;
    while (begin < outcome.out.size()) {
      const std::size_t end = outcome.out.find('\n', begin);
      CHECK(end - begin <= 80);
      begin = end + 1;
    }
    // Usage is not broken inside brackets or between an option and its value.
    const std::string usage =
        outcome.out.substr(outcome.out.find("\nUsage:\n"), outcome.out.find("\nExamples:\n"));
    for (const char* parted : {"\n      F", "\n      N", "\n      DIR", "\n      LIST"}) {
      CHECK(!contains(usage, parted));
    }
    // Wherever it stands on the line, and whatever else is wrong with it.
    CHECK(run(command.name + " --zzz --help all").out == outcome.out);
    CHECK(run("help " + command.name + " all").out == outcome.out);
    const std::string first = run(command.name + " --help").out;
    CHECK(run("help " + command.name).out == first);
    CHECK(run("--help " + command.name).out == first);
    // Of many options, those that are used most.
    CHECK(count(first, "\n  --") <= 15);
    CHECK((first == outcome.out) != contains(first, "\n  --help all "));
    CHECK(contains(run("--help").out, "  " + command.name + " "));
  }
}

TEST_CASE("help is given for the word as for the option") {
  const std::string help = run("--help").out;
  CHECK(contains(help, "\nCommands:\n"));
  for (const char* words : {"help", "-h", "help help", "help --help", "--help -h"}) {
    CAPTURE(words);
    const Outcome outcome = worked(run(words));
    CHECK(outcome.out == help);
  }
}

TEST_CASE("the version is printed, and nothing else") {
  for (const char* words : {"--version", "version", "-v", "-V"}) {
    const Outcome outcome = worked(run(words));
    CHECK(contains(outcome.out, "attention 0."));
    CHECK(outcome.err.empty());
  }
}

TEST_CASE("a closed pipe exits silently with 141") {
  const TemporaryDirectory directory;
  const std::string model = " --model " + small_run();
  // More than a pipe holds, so that the command must notice.
  const std::string lines = directory.file("lines", std::string(100'000, '\n'));
  const std::string few = directory.file("few", "\n\n");  // which is read before any is written
  for (const std::string& command :
       {std::string("trace"), std::string("trace --backward"), std::string("trace --json"),
        std::string("help train"), std::string("inspect --preset base --vocabulary 9 --json"),
        "inspect" + model, "translate" + model + " < " + lines,
        "evaluate" + model + " --source " + few + " --target " + few}) {
    CAPTURE(command);
    // The reader, descriptor 4, is gone before the first byte is written.
    const Outcome outcome = run_script("cd " + directory.path() +
                                       "; rm -f pipe; mkfifo pipe; exec 4<> pipe 3> pipe 4<&-" +
                                       "; \"$attention\" " + command + " >&3; echo status $? >&2");
    CHECK(outcome.err == "status 141\n");
  }
}

TEST_CASE("output that cannot be written is an error") {
  if (!std::filesystem::exists("/dev/full")) return;
  const TemporaryDirectory directory;
  for (const std::string& arguments :
       {std::string("--help"), std::string("train --help"), "inspect --model " + small_run(),
        "translate --model " + small_run(),
        "train copy --steps 1 --out " + directory.path("run") + kTiny}) {
    CAPTURE(arguments);
    check_fails(run(arguments + " > /dev/full", "a\n"),
                "attention: error: cannot write to standard output: No space left");
  }
}

TEST_SUITE_END();

}  // namespace attn::test
