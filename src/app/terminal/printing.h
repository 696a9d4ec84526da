// Text for people: columns, paragraphs, times, and what a mistyped word meant.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/format.h"

namespace attn {

// The number of columns of a terminal that a UTF-8 text takes.
std::size_t display_width(std::string_view text);
// The text with spaces after it, or before it, `width` columns in all.
std::string padded(std::string_view text, std::size_t width);
std::string right_aligned(std::string_view text, std::size_t width);

// The words of a paragraph in lines of at most `columns` columns, where words allow that. The first
// line begins at `column`; the others are indented.
std::string wrapped(std::string_view paragraph, std::size_t column, std::size_t indent,
                    std::size_t columns);

// A table of text: columns two spaces apart, those in `flush_left` flush left, the others right.
std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::set<std::size_t>& flush_left = {0});

// "0:42", "12:05", "3:12:45"
std::string clock_time(double seconds);
// "0.8 s", "42 s", "12 min 5 s", "3 h 12 min"
std::string duration(double seconds);

// The text, or its beginning and …, at most `width` characters: by default, a message's limit.
std::string shortened(std::string_view text, std::size_t width = 40);

// The number of letters that must be inserted, deleted, replaced or swapped with the next to turn
// one word into the other (Damerau 1964).
std::size_t edits(const std::string& a, const std::string& b);

// "; did you mean --d-model?" for the candidate closest to the word, or "" if none is close.
// The candidates are in lower case; the word need not be.
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates,
                       const std::string& prefix = "");

}  // namespace attn
