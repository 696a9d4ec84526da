#include "values.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <optional>

namespace listings {
namespace {

const std::string kMinus = "\xE2\x88\x92";  // −

// The end of the number that begins at a place; the place itself if none does. A comma belongs to
// it if exactly three digits follow.
std::size_t number_end(const std::string& text, std::size_t begin) {
  const auto digits = [&text](std::size_t i) {
    while (i < text.size() && is_digit(text[i])) ++i;
    return i;
  };
  std::size_t i = begin;
  if (text.compare(i, kMinus.size(), kMinus) == 0) {
    i += kMinus.size();
  } else if (i < text.size() && (text[i] == '-' || text[i] == '+')) {
    ++i;
  }
  const std::size_t first = i;
  i = digits(i);
  if (i == first) return begin;
  while (i < text.size() && text[i] == ',' && digits(i + 1) == i + 4) i += 4;
  if (i + 1 < text.size() && text[i] == '.' && is_digit(text[i + 1])) i = digits(i + 1);
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    const bool sign = i + 1 < text.size() && (text[i + 1] == '-' || text[i + 1] == '+');
    const std::size_t exponent = i + (sign ? 2 : 1);
    if (digits(exponent) > exponent) i = digits(exponent);
  }
  return i;
}

struct Number {
  double value = 0;
  int decimals = 0;
  std::optional<int> exponent;
  std::size_t exponent_digits = 0;
  bool commas = false, plus = false, long_minus = false;
};

// The whole text as a number; of a value that a program printed, what stands before a unit.
std::optional<Number> parse_number(const std::string& text, bool unit) {
  const std::size_t end = number_end(text, 0);
  if (end == 0 || (end < text.size() && !unit)) return std::nullopt;
  if (end < text.size() && text[end] != ' ' && text[end] != '%') return std::nullopt;
  std::string plain = text.substr(0, end);
  Number number;
  number.plus = plain[0] == '+';
  number.long_minus = starts_with(plain, kMinus);
  if (number.long_minus) plain.replace(0, kMinus.size(), "-");
  number.commas = plain.find(',') != npos;
  plain.erase(std::remove(plain.begin(), plain.end(), ','), plain.end());
  number.value = std::strtod(plain.c_str(), nullptr);
  const std::size_t e = std::min(plain.find_first_of("eE"), plain.size());
  const std::size_t point = plain.find('.');
  if (point != npos) number.decimals = static_cast<int>(e - point) - 1;
  if (e < plain.size()) {
    number.exponent = std::atoi(plain.c_str() + e + 1);
    number.exponent_digits = plain.size() - plain.find_first_of("0123456789", e);
  }
  return number;
}

std::string with_commas(std::string digits) {
  std::size_t i = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits[0] == '-' ? 1 : 0;
  while (i > first + 3) digits.insert(i -= 3, ",");
  return digits;
}

// Turns JSON into paths and values. What is not JSON is an error.
class JsonReader {
 public:
  JsonReader(const std::string& text, Values& values) : text_(text), values_(values) {
    read("");
    if (next() != '\0') fail();
  }

 private:
  char next() {
    at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }

  [[noreturn]] void fail() const {
    throw Error("the output is not JSON at byte " + std::to_string(at_));
  }

  void expect(char c) {
    if (next() != c) fail();
    ++at_;
  }

  void read(const std::string& path) {
    if (next() == '{') return read_list(path, '}');
    if (next() == '[') return read_list(path, ']');
    if (next() == '"') return values_[path].push_back(read_string());
    const std::size_t end = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    if (end == at_) fail();
    values_[path].push_back(text_.substr(at_, end - at_));
    at_ = end;
  }

  void read_list(const std::string& path, char close) {
    ++at_;
    for (int i = 0; next() != close; ++i) {
      if (i > 0) expect(',');
      if (close == ']') {
        read(path + "[" + std::to_string(i) + "]");
        continue;
      }
      if (next() != '"') fail();
      const std::string key = read_string();
      expect(':');
      read(path.empty() ? key : path + "." + key);
    }
    ++at_;
  }

  std::string read_string() {
    std::string result;
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      result += text_[at_];
    }
    expect('"');
    return result;
  }

  const std::string& text_;
  Values& values_;
  std::size_t at_ = 0;
};

std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == '\t') cells.emplace_back();
    if (c != '\t') cells.back() += c;
  }
  for (std::string& text : cells) text = trimmed(text);
  return cells;
}

}  // namespace

Shown shown_at(const std::string& text, std::size_t from) {
  while (from < text.size() && std::string_view("*_$").find(text[from]) != npos) ++from;
  if (from < text.size() && text[from] == '`') {
    const std::size_t close = text.find_first_of("`\n", from + 1);
    if (close != npos && text[close] == '`') {
      return {from + 1, close, text.substr(from + 1, close - from - 1)};
    }
  }
  const std::size_t end = number_end(text, from);
  if (end == from) throw Error("expected a number or a code span directly after the mark");
  return {from, end, text.substr(from, end - from)};
}

bool agrees(const std::string& shown, const std::string& value) {
  const std::optional<Number> wanted = parse_number(shown, false);
  const std::optional<Number> got = parse_number(value, true);
  if (!wanted || !got) return shown == value;
  // Half a unit of the last digit, and a little for the decimals that binary cannot hold.
  const double unit = std::pow(10.0, wanted->exponent.value_or(0) - wanted->decimals);
  return std::fabs(wanted->value - got->value) <= unit * 0.5 * (1 + 1e-9);
}

std::string written_like(const std::string& shown, const std::string& value) {
  const std::optional<Number> style = parse_number(shown, false);
  const std::optional<Number> number = parse_number(value, true);
  if (!style || !number) return value;
  char digits[400];
  std::snprintf(digits, sizeof digits, style->exponent ? "%.*e" : "%.*f", style->decimals,
                number->value);
  std::string result = digits;
  if (style->exponent) {
    const std::size_t sign = result.find('e') + 1;
    std::size_t leading = result.size() - sign - 1;
    for (; leading > style->exponent_digits && result[sign + 1] == '0'; --leading) {
      result.erase(sign + 1, 1);
    }
    if (result[sign] == '+' && shown.find("e+") == npos) result.erase(sign, 1);
  }
  if (style->commas) result = with_commas(result);
  if (result[0] == '-' && result.find_first_of("123456789") == npos) result.erase(0, 1);
  if (result[0] == '-' && style->long_minus) result.replace(0, 1, kMinus);
  if (result[0] != '-' && style->plus) result.insert(0, "+");
  return result;
}

Values values_of(const std::string& output) {
  Values values;
  const std::string text = trimmed(output);
  if (starts_with(text, "{") || starts_with(text, "[")) {
    const JsonReader reader(text, values);
    return values;
  }
  for (const std::string& raw : lines_of(text)) {
    const std::string line = trimmed(raw);
    std::size_t end = npos;
    for (const char* separator : {"=", ":", "\t", "  "}) end = std::min(end, line.find(separator));
    if (end == npos) continue;
    const std::size_t begin = line.find_first_not_of("=: \t", end);
    values[trimmed(line.substr(0, end))].push_back(begin == npos ? "" : line.substr(begin));
  }
  return values;
}

std::string cell(const std::string& table, const std::vector<std::string>& row,
                 const std::string& column) {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> found;
  const auto place = [&heading](const std::string& name) {
    const auto at = std::find(heading.begin(), heading.end(), name);
    if (at == heading.end()) {
      throw Error("no column '" + name + "'; there is " + join(heading, ", "));
    }
    return static_cast<std::size_t>(at - heading.begin());
  };
  for (const std::string& line : lines_of(table)) {
    if (trimmed(line).empty() || line[0] == '#') continue;
    std::vector<std::string> cells = cells_of(line);
    if (heading.empty()) {
      heading = cells;
      continue;
    }
    cells.resize(std::max(cells.size(), heading.size()));
    const bool fits = std::all_of(row.begin(), row.end(), [&](const std::string& word) {
      const std::size_t equals = word.find('=');
      if (equals == npos) return cells[0] == word;
      return cells[place(word.substr(0, equals))] == word.substr(equals + 1);
    });
    if (fits) found.push_back(cells);
  }
  if (found.size() != 1) {
    throw Error((found.empty() ? "no row '" : "more than one row '") + join(row, " ") + "'");
  }
  return found[0][place(column)];
}

}  // namespace listings
