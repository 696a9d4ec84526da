// listings: keeps the chapters true. Everything a chapter shows of the code or of a program's
// output stands under (or after) an invisible comment, a mark, that says where it comes from. The
// marks and the options are described in kHelp, right below.
#include <unistd.h>

#include <iostream>

#include "check.h"

namespace {

using listings::Error;
using listings::Finding;
using listings::Kinds;
using listings::Lines;
using listings::Setup;

constexpr char kHelp[] = R"(usage: listings check|update [options] [FILE.md...]

check   reports what is stale: exit status 1, and a difference for each place.
update  writes stale listings, outputs and numbers anew; reports what it cannot repair.
Without FILE.md: all Markdown files at the root and in data, src, tests and walkthrough.

  --only listings|numbers|links|commands   one kind of check (again for more; default: all)
  --root DIR            the repository (default: .)
  --build DIR           the build folder, seen by commands as build/ (default: ROOT/build)
  --work DIR            where commands run (default: a folder for temporary files)
  --program NAME=PATH   a program that chapters may run as build/NAME (again for more)

MARKS OF BLOCKS stand alone in the line directly above a fenced block. Each block has one, but for
```math and ```mermaid.

  <!-- listing: PATH -->                      a whole file
  <!-- listing: PATH opening-comment -->      the comment that a C++ file opens with
  <!-- listing: PATH NAME -->                 what the file defines under this name, with the comment
                                              directly above: a function, type, constant, alias or
                                              macro; a function that it only declares, if none is
                                              defined. NAME may be qualified as far as needed:
                                              forward, Linear::forward, Tensor::Tensor, x::operator==
  <!-- listing: PATH NAME(PARAMETERS) -->     of several, the one whose parameter list, as written,
                                              is this or contains this
  <!-- listing: PATH NAME "WORDS" -->         a paragraph of it: from the comment that begins with
                                              these words to the next blank line (one inside of a
                                              bracket opened on the way does not count) or the end of
                                              the block around it; several "…" "…" are listed one
                                              after the other
  <!-- listing: PATH "WORDS" -->              a paragraph of the file; in files that are not C++,
                                              from a line that begins so to the next blank line
  Common indentation is removed. Lines below are compared with blanks at their ends removed.
  A listing is printed once in the book: most of its lines, if they are four or more, must not stand
  in other listings.

  <!-- output: COMMAND -->   the block is what COMMAND prints on stdout. COMMAND is build/NAME with
                             arguments and perhaps `< file`; no shell sees it. `output` alone: the
                             command in the block of one command above. Programs run with
                             ATTENTION_ISA=portable, so that the digits are the same everywhere.
  <!-- run -->               a ```sh block that the test runs (sh -e), in a temporary folder per
                             file where build/, data/, src/, tests/ and walkthrough/ are in place
  <!-- takes: 30 s -->       a ```sh block that is not run, and how long it takes
  <!-- paper -->             a block quoted from the paper, <!-- paper: Table 2 -->; not checked
  <!-- sketch -->            a block that nothing keeps true

MARKS OF NUMBERS stand in a sentence or a table's cell, directly before a number or a `code span`
(* _ $ may be between). They must not begin a line, nor contain -- or |: GitHub would show them.

  <!-- command: NAME = COMMAND -->            alone on a line: names a command for this file
  <!-- number: NAME KEY -->0.3536             what that command prints for KEY, in a line KEY = VALUE
                                              (or KEY: VALUE, or apart by a tab or two blanks), or
                                              in JSON, where KEY is a path like scores.data[0][2]
  <!-- measured: data/measurements/F.tsv ROW COLUMN -->41.2
                                              a cell; ROW is what its first cell says, or
                                              column=cell, or several of these; of COLUMN,COLUMN
                                              the second stands in the next cell of the table, so
                                              that a row needs one mark
  <!-- minutes: FILE.md -->25                 how long that file, a path from this one's folder, takes
                                              to read: a minute for 200 words of prose or 12 lines
                                              of a block, to five minutes
  <!-- paper -->28.4                          quoted from the paper; not checked
  A number is right if the value rounds to it at the digits shown. A code span that is not a number
  must be equal.

LINKS: files exist, #anchors are headings as GitHub spells them; links to lines are refused.
)";

struct Options {
  std::string mode;
  Setup setup;
  Kinds kinds;
  bool all_kinds = true;
  Lines paths;
  bool temporary = true;  // the work folder, which goes when its work is done
};

// A wrong command line.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

bool* kind_named(Kinds& kinds, const std::string& name) {
  if (name == "listings") return &kinds.listings;
  if (name == "numbers") return &kinds.numbers;
  if (name == "links") return &kinds.links;
  if (name == "commands") return &kinds.commands;
  throw UsageError("--only takes listings, numbers, links or commands, not '" + name + "'");
}

Options parse_options(const Lines& arguments) {
  Options options;
  Setup& setup = options.setup;
  setup.build.clear();
  // Two that run at once must not read each other's outputs.
  setup.work =
      std::filesystem::temp_directory_path() / ("attention-listings-" + std::to_string(getpid()));
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!listings::starts_with(argument, "--")) {
      (options.mode.empty() ? options.mode : options.paths.emplace_back()) = argument;
      continue;
    }
    if (++i == arguments.size()) throw UsageError(argument + " needs a value");
    const std::string& value = arguments[i];
    const std::size_t equals = value.find('=');
    if (argument == "--only") {
      *kind_named(options.kinds, value) = true;
      options.all_kinds = false;
    } else if (argument == "--root") {
      setup.root = value;
    } else if (argument == "--build") {
      setup.build = value;
    } else if (argument == "--work") {
      setup.work = value;
      options.temporary = false;
    } else if (argument == "--program" && equals != std::string::npos) {
      setup.programs[value.substr(0, equals)] = value.substr(equals + 1);
    } else {
      throw UsageError("unknown option " + argument + " " + value);
    }
  }
  if (options.all_kinds) options.kinds = {true, true, true, true};
  if (setup.build.empty()) setup.build = setup.root / "build";
  return options;
}

int check(Options options, const Lines& files) {
  const bool update = options.mode == "update";
  if (update) options.kinds.commands = false;  // running them repairs nothing
  const Lines& named = options.paths;
  const auto result =
      listings::check(options.setup, named.empty() ? files : named, options.kinds, update);
  bool repairable = false;
  for (const Finding& finding : result.findings) {
    std::cout << finding.file << ':' << finding.line << ": " << finding.message << '\n';
    repairable = repairable || finding.repairable;
  }
  if (options.temporary) std::filesystem::remove_all(options.setup.work);
  for (const std::string& file : result.updated) std::cout << "updated " << file << '\n';
  if (repairable) {
    std::cout << "To write what is stale anew: cmake --build build --target update-listings\n";
  }
  std::cout << result.checked << " marks checked, " << result.findings.size() << " wrong\n";
  return result.findings.empty() ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Lines arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 1 && (arguments[0] == "--help" || arguments[0] == "-h")) {
      std::cout << kHelp;
      return 0;
    }
    const Options options = parse_options(arguments);
    const Lines files = listings::markdown_files(options.setup.root);
    if (options.mode == "check" || options.mode == "update") return check(options, files);
    throw UsageError("expected check or update");
  } catch (const UsageError& error) {
    std::cerr << "listings: " << error.what() << " (listings --help)\n";
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "listings: error: " << error.what() << '\n';
    return 1;
  }
}
