// Links between the files of the repository. Addresses with a scheme (https: …) are not followed.
#pragma once

#include <map>
#include <set>
#include <string>

#include "markdown.h"

namespace listings {

// The part after # with which GitHub links to a heading.
std::string slug(const std::string& heading);
// All anchors of a document: its headings (the second `x` is x-1), and id="…" and name="…".
std::set<std::string> anchors_of(const Document& document);

class Links {
 public:
  explicit Links(fs::path root) : root_(std::move(root)) {}
  // Adds a finding for each dead link.
  void check(Document& document);

 private:
  std::string problem_with(const Document& document, const std::string& target);
  const std::set<std::string>& anchors(const std::string& name);

  fs::path root_;
  std::map<std::string, std::set<std::string>> anchors_;
};

}  // namespace listings
