// Where a training step's time goes. The time since the last value is spent on computing this one.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "text/lines.h"

namespace attn {

// The part of the model that a value is counted under: the first two words of its name, without
// numbers and without its own. "encoder.0.self_attention.heads.1.S": "encoder self_attention".
inline std::string part_of_value(const std::string& name) {
  static const std::vector<std::pair<std::string, std::string>> outside{
      {"e", "source"},      {"g", "target"},       {"logits", "output"},
      {"losses", "output"}, {"dlogits", "output"}, {"dh", "output"}};
  for (const auto& [value, part] : outside) {
    if (name == value) return part;
  }
  std::vector<std::string> words = split(name, '.');
  words.pop_back();
  std::string part;
  int count = 0;
  for (const std::string& word : words) {
    const bool number = word.find_first_not_of("0123456789") == word.npos;
    if (!number && ++count <= 2) part += (part.empty() ? "" : " ") + word;
  }
  return part.empty() ? "the rest" : part;
}

class Stopwatch {
 public:
  struct Times {
    std::string part;
    double forward = 0, backward = 0;  // seconds
  };

  // Forgets what it measured and starts again.
  void start() {
    times_.clear();
    since_ = now();
  }
  // The time since the last value is that of this one. Names of gradients begin with a d.
  void see(const std::string& name) {
    charge(times_.empty() ? "zero_gradients" : part_of_value(name),
           name[name.rfind('.') + 1] == 'd');
  }
  // The rest is Adam's. Returns the times in the order in which their parts were first seen.
  const std::vector<Times>& stop() {
    charge("adam", false);
    return times_;
  }

 private:
  void charge(const std::string& part, bool backward) {
    auto found = std::find_if(times_.begin(), times_.end(),
                              [&](const Times& times) { return times.part == part; });
    if (found == times_.end()) found = times_.insert(found, {part});
    const double time = now();
    (backward ? found->backward : found->forward) += time - since_;
    since_ = time;
  }

  std::vector<Times> times_;
  double since_ = 0;  // until then, all time is in times_
};

}  // namespace attn
