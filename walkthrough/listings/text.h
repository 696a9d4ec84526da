// Files, lines and words: what every part of the tool needs.
#pragma once

#include <cstddef>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace listings {

namespace fs = std::filesystem;

// What is wrong with an input, in words for the author of a chapter.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using Lines = std::vector<std::string>;

constexpr std::size_t npos = std::string::npos;

std::string read_file(const fs::path& path);
// Under a temporary name next to it, then renamed: a reader sees the old file or the new one.
void write_file(const fs::path& path, const std::string& text);

// The lines without their ends ("\n" or "\r\n").
Lines lines_of(std::string_view text);
std::string join(const Lines& parts, const std::string& separator);

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list);
bool starts_with(std::string_view text, std::string_view beginning);
std::string trimmed(std::string_view text);
// Every run of blanks and line ends as one space, none at the ends.
std::string one_spaced(std::string_view text);

// The words of a command as a shell would split them, 'single' and "double" quotes included.
// Anything that only a shell can do (pipes, variables, patterns …) is refused; an unquoted < is a
// word of its own.
std::vector<std::string> words_of(std::string_view command);

// What has to change to get from one text to the other: "- " and "+ " lines with some around them.
std::string diff(const Lines& from, const Lines& to);

}  // namespace listings
