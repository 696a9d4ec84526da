// Numbers: as a text shows them, as a program prints them, as a table of measurements holds them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "text.h"

namespace listings {

// What stands at a place of a chapter: a number (0.35, −1, 65,000,000, 2.3e-7), or anything in a
// code span.
struct Shown {
  std::size_t begin = 0, end = 0;  // bytes of the text
  std::string text;
};
// Directly at `from`, but for * _ $ before it. Throws if there is neither.
Shown shown_at(const std::string& text, std::size_t from);

// Whether `value` rounds to what is shown, at the digits shown; anything but numbers must be equal.
bool agrees(const std::string& shown, const std::string& value);
// `value` written like `shown`: as many digits, the same minus sign, the same commas.
std::string written_like(const std::string& shown, const std::string& value);

// The values by key of a program's output: of lines `key = value`, `key: value` or key and value
// apart by a tab or two blanks; or of JSON, where a key is a path like tensors.scores.data[0][2].
// A key that is printed twice has two values.
using Values = std::map<std::string, std::vector<std::string>>;
Values values_of(const std::string& output);

// A cell of a table of tab-separated values with a heading line (lines that begin with # are
// notes). The row is given by words: `name` is its first cell, `column=cell` any other.
std::string cell(const std::string& table, const std::vector<std::string>& row,
                 const std::string& column);

}  // namespace listings
