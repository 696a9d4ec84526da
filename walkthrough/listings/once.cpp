#include "once.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

namespace listings {

Printed printed_lines(const std::string& file, int line, const Selection& selection) {
  Printed result{file, line, selection.path, {}};
  std::size_t at = 0;
  for (const auto& [first, last] : selection.ranges) {
    if (at > 0) ++at;  // the empty line between paragraphs
    for (int number = first; number <= last; ++number, ++at) {
      const std::string& text = selection.lines[at];
      const bool says = std::any_of(text.begin(), text.end(), [](char c) {
        return std::isalnum(static_cast<unsigned char>(c)) != 0;
      });
      if (says) result.lines.insert(number);
    }
  }
  return result;
}

std::vector<Finding> printed_twice(const std::vector<Printed>& listings) {
  // The listings that print a line of a file.
  std::map<std::pair<std::string, int>, std::vector<std::size_t>> printing;
  for (std::size_t i = 0; i < listings.size(); ++i) {
    for (int line : listings[i].lines) printing[{listings[i].path, line}].push_back(i);
  }
  std::vector<Finding> findings;
  std::set<std::pair<std::size_t, std::size_t>> named;
  for (std::size_t i = 0; i < listings.size(); ++i) {
    std::size_t again = 0;
    std::map<std::size_t, std::size_t> shared;  // lines with each other listing
    for (int line : listings[i].lines) {
      const std::vector<std::size_t>& all = printing[{listings[i].path, line}];
      if (all.size() > 1) ++again;
      for (std::size_t other : all) {
        if (other != i) ++shared[other];
      }
    }
    if (again < kFewLines || 2 * again <= listings[i].lines.size()) continue;
    const auto most =
        std::max_element(shared.begin(), shared.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    const auto pair = std::minmax(i, most->first);
    if (!named.insert(pair).second) continue;
    const Printed &first = listings[pair.first], &second = listings[pair.second];
    findings.push_back({second.file, second.line,
                        "printed twice: " + std::to_string(most->second) + " lines of " +
                            second.path + " are here and at " + first.file + ":" +
                            std::to_string(first.line) + "; print them once, and link to the place",
                        false});
  }
  return findings;
}

}  // namespace listings
