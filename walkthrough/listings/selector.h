// What a chapter may list of a source file, and how the lines are found. The grammar of selectors
// is in the program's --help.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cpp_source.h"
#include "text.h"

namespace listings {

struct Selector {
  std::string path;
  std::string name;        // of a definition; may be empty
  std::string parameters;  // with `has_parameters`: a part of its parameter list
  bool has_parameters = false;
  bool opening_comment = false;
  Lines paragraphs;  // the first words of each
};

Selector parse_selector(const std::string& text);

struct Selection {
  std::string path;
  std::vector<std::pair<int, int>> ranges;  // of lines, the first and the last
  Lines lines;                              // what to print: without common indentation
};

// The repository's sources, each read once.
class Sources {
 public:
  explicit Sources(fs::path root) : root_(std::move(root)) {}

  Selection select(const std::string& selector);

 private:
  const CppSource& cpp(const std::string& path);
  const Lines& lines(const std::string& path);

  fs::path root_;
  std::map<std::string, Lines> lines_;
  std::map<std::string, std::unique_ptr<const CppSource>> cpp_;
};

}  // namespace listings
