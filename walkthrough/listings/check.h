// The checks of a chapter, and their repair.
#pragma once

#include <string>
#include <vector>

#include "markdown.h"
#include "programs.h"
#include "selector.h"

namespace listings {

// Which checks. Marks themselves are always checked.
struct Kinds {
  bool listings = false;  // blocks that list source
  bool numbers = false;   // blocks of output, numbers in sentences
  bool links = false;
  bool commands = false;  // blocks that the reader types
};

struct Result {
  std::vector<Finding> findings;
  std::vector<std::string> updated;  // files
  int checked = 0;                   // listings, outputs, numbers and blocks run
};

// The Markdown files of the repository: those at the root, and all in its folders data, src, tests
// and walkthrough.
std::vector<std::string> markdown_files(const fs::path& root);

// With `update`, stale listings, outputs and numbers are written anew instead of reported.
Result check(const Setup& setup, const std::vector<std::string>& files, const Kinds& kinds,
             bool update);

}  // namespace listings
