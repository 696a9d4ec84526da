// Running what the chapters quote: listed programs without a shell, command blocks with one.
#pragma once

#include <map>
#include <string>

#include "text.h"

namespace listings {

// Where things are. Commands run in folders under `work` that look like the repository to them:
// `build` is a link to the build folder; data, src, tests and walkthrough link to the repository's.
struct Setup {
  fs::path root = ".";
  fs::path build = "build";
  fs::path work;
  std::map<std::string, fs::path> programs;  // what build/NAME may be
};

class Programs {
 public:
  explicit Programs(const Setup& setup) : setup_(setup) {}

  // What `build/NAME arguments… [< file]` prints on stdout; each command runs once. Throws if NAME
  // is not a listed program or if it fails.
  const std::string& output(const std::string& command);

  // Runs a block of commands with sh, in a folder of that name under work; `fresh`: emptied first.
  // Throws with the end of what it printed if it does not exit with 0.
  void run_block(const Lines& commands, const std::string& folder, bool fresh);

 private:
  fs::path prepare(const std::string& folder, bool fresh) const;

  const Setup& setup_;
  std::map<std::string, std::string> outputs_;
  bool prepared_ = false;
};

}  // namespace listings
