#include "support/checks.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <optional>

namespace exercises {

std::string show(double x) {
  char buffer[40];
  std::snprintf(buffer, sizeof buffer, "%.6g", x);
  return buffer;
}

std::string show(const std::vector<Index>& numbers) {
  std::string result = "[";
  for (const Index n : numbers) result += (result.size() > 1 ? ", " : "") + std::to_string(n);
  return result + "]";
}

void Checks::claim(const std::string& sentence) {
  done();
  claim_ = sentence;
}

void Checks::done() {
  if (!claim_.empty()) std::printf("  right  %s\n", claim_.c_str());
  claim_.clear();
}

void Checks::that(bool holds, const std::string& hint) const {
  if (!holds) throw Wrong(hint);
}

namespace {
// "0.5, should be 0.25". Six digits hide what a float has lost.
std::string unlike(double got, double want) {
  return show(got) + ", should be " + show(want) +
         (show(got) == show(want) ? " to more digits (a float?)" : "");
}
}  // namespace

void Checks::number(const std::string& what, double got, double want, const std::string& hint,
                    double tolerance) const {
  // Written so that a NaN fails.
  if (std::fabs(got - want) <= tolerance * (std::fabs(want) + 1)) return;
  throw Wrong(what + " is " + unlike(got, want) + ". " + hint);
}

namespace {
// "dx(2, 1)", or "db[1]" for a vector.
std::string element(const std::string& what, const Tensor& x, Index i) {
  if (x.shape().rank == 1) return what + "[" + std::to_string(i) + "]";
  return what + "(" + std::to_string(i / x.cols()) + ", " + std::to_string(i % x.cols()) + ")";
}
}  // namespace

void Checks::tensor(const std::string& what, const Tensor& got, const Tensor& want,
                    const std::string& hint, double tolerance) const {
  if (got.shape() != want.shape()) {
    throw Wrong(what + " has the shape " + to_string(got.shape()) + ", should have " +
                to_string(want.shape()) + ".");
  }
  double norm = 0;
  for (Index i = 0; i < want.elements(); ++i) norm += want[i] * want[i];
  const double allowed = tolerance * (std::sqrt(norm) + 1);
  double squared_error = 0;
  Index wrong = 0, first = -1;
  for (Index i = 0; i < want.elements(); ++i) {
    const double error = got[i] - want[i];
    squared_error += error * error;
    if (std::fabs(error) <= allowed) continue;
    ++wrong;
    if (first < 0) first = i;
  }
  if (squared_error <= allowed * allowed) return;
  if (first < 0) first = 0;
  throw Wrong(element(what, want, first) + " is " + unlike(got[first], want[first]) + " (" +
              std::to_string(wrong) + " of " + std::to_string(want.elements()) +
              " numbers are wrong). " + hint);
}

void Checks::gradient(const std::string& what, const Tensor& dx, Tensor& x,
                      const std::function<double()>& loss, const std::string& hint) const {
  Tensor quotients = Tensor::zeros(x.shape());
  for (Index i = 0; i < x.elements(); ++i) {
    const double kept = x[i], h = 1e-5;
    x[i] = kept + h;
    const double higher = loss();
    x[i] = kept - h;
    const double lower = loss();
    x[i] = kept;
    quotients[i] = (higher - lower) / (2 * h);
  }
  tensor(what, dx, quotients, hint + " (Compared with finite differences.)", 1e-7);
}

Answers Answers::read(const std::string& path) {
  std::ifstream file(path);
  std::map<std::string, std::string> given;
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find_first_not_of(' ');
    if (begin == std::string::npos || line.compare(begin + 1, 3, " = ") != 0) continue;
    const std::size_t from = line.find_first_not_of(" \r", begin + 4);
    const std::size_t end = line.find_last_not_of(" \r") + 1;
    if (from != std::string::npos) given[line.substr(begin, 1)] = line.substr(from, end - from);
  }
  return Answers(given);
}

const std::string* Answers::find(const std::string& key) {
  const auto found = given_.find(key);
  if (found != given_.end()) return &found->second;
  std::printf("      ?  %s has no answer yet\n", key.c_str());
  all_right_ = false;
  return nullptr;
}

void Answers::report(const std::string& key, bool right, const std::string& answer,
                     const std::string& hint) {
  std::printf("  %s  %s = %s\n", right ? "right" : "WRONG", key.c_str(), answer.c_str());
  if (right) return;
  std::printf("         %s\n", hint.c_str());
  all_right_ = false;
}

namespace {
// 0.75, 3/4, 1e6, 63 000 000; NaN for anything else.
double read_number(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  const char* at = text.c_str();
  char* end = nullptr;
  double value = std::strtod(at, &end);
  if (end == at) return std::nan("");
  if (*end == '/') {
    at = end + 1;
    value /= std::strtod(at, &end);
    if (end == at) return std::nan("");
  }
  return *end == '\0' ? value : std::nan("");
}
const char* const kNotANumber =
    "That is not read as a number. Write digits with a decimal point, like 0.75, 3/4 or 1.2e6.";
}  // namespace

void Answers::number(const std::string& key, double want, const std::string& hint,
                     const Hints& mistakes, double tolerance) {
  const std::string* answer = find(key);
  if (answer == nullptr) return;
  const double got = read_number(*answer);
  const auto close = [&](double to) {
    return std::fabs(got - to) <= tolerance * std::fabs(to) + 1e-12;
  };
  if (close(want)) return report(key, true, *answer, "");
  for (const auto& [mistake, reason] : mistakes) {
    if (close(mistake)) return report(key, false, *answer, reason);
  }
  report(key, false, *answer, std::isnan(got) ? kNotANumber : hint);
}

void Answers::count(const std::string& key, Index want, const std::string& hint,
                    const Hints& mistakes) {
  number(key, static_cast<double>(want), hint, mistakes, 0);
}

namespace {
// "1, 3", "[1 3]"; no numbers for "none", and nothing for what is no list.
std::optional<std::vector<Index>> read_list(const std::string& text) {
  if (text != "none" && (text.find_first_of("0123456789") == std::string::npos ||
                         text.find_first_not_of("0123456789 ,;[]()") != std::string::npos)) {
    return std::nullopt;
  }
  std::vector<Index> numbers;
  for (std::size_t i = 0; i < text.size();) {
    if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
      ++i;
      continue;
    }
    std::size_t used = 0;
    numbers.push_back(static_cast<Index>(std::stoll(text.substr(i, 18), &used)));
    i += used;
  }
  return numbers;
}
const char* const kNotAList =
    "That is not read as a list. Write whole numbers, like 1, 3, or the word none.";
}  // namespace

void Answers::list(const std::string& key, const std::vector<Index>& want,
                   const std::string& hint) {
  const std::string* answer = find(key);
  if (answer == nullptr) return;
  const auto got = read_list(*answer);
  report(key, got == want, *answer, got ? hint : kNotAList);
}

void Answers::set(const std::string& key, const std::vector<Index>& want, const std::string& hint) {
  const std::string* answer = find(key);
  if (answer == nullptr) return;
  auto got = read_list(*answer);
  if (got) std::sort(got->begin(), got->end());
  report(key, got == want, *answer, got ? hint : kNotAList);
}

void Answers::word(const std::string& key, const std::string& want,
                   const std::vector<std::string>& choices, const std::string& hint) {
  const std::string* answer = find(key);
  if (answer == nullptr) return;
  if (std::find(choices.begin(), choices.end(), *answer) == choices.end()) {
    std::string all;
    for (const std::string& choice : choices) all += (all.empty() ? "" : ", ") + choice;
    return report(key, false, *answer, "The choice is: " + all + ".");
  }
  report(key, *answer == want, *answer, hint);
}

}  // namespace exercises
