// A listing is printed once in the book, and linked afterwards.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "markdown.h"
#include "selector.h"

namespace listings {

// A listing, and the lines of its file that say something: neither empty nor brackets alone.
struct Printed {
  std::string file;  // the chapter
  int line = 0;      // of its mark there
  std::string path;  // the source
  std::set<int> lines;
};

Printed printed_lines(const std::string& file, int line, const Selection& selection);

// A finding for each listing most of whose lines other listings print too. A few of them may be
// printed again, to speak of them: fewer than kFewLines are no double.
constexpr std::size_t kFewLines = 4;
std::vector<Finding> printed_twice(const std::vector<Printed>& listings);

}  // namespace listings
