// Where the time of a training step goes: a stopwatch that the parts of a pass start and stop.
#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "text/lines.h"

namespace attn {

// What a part of a pass is counted as: the first two words of its dotted name, without numbers.
// "encoder.0.self_attention.query" is "encoder self_attention".
inline std::string kind_of_part(const std::string& part) {
  std::string kind;
  int words = 0;
  for (const std::string& word : split(part, '.')) {
    const bool number = word.find_first_not_of("0123456789") == word.npos;
    if (!number && ++words <= 2) kind += (kind.empty() ? "" : " ") + word;
  }
  return kind;
}

// Parts are nested. Time is charged to the innermost, so all times together are the time from start
// to stop.
class Stopwatch {
 public:
  static constexpr const char* kRest = "the rest";  // the time outside all parts

  struct Times {
    std::string kind;
    double forward = 0, backward = 0;  // seconds
  };

  // Forgets what it measured and starts again.
  void start() {
    times_.clear();
    open_.clear();
    since_ = now();
  }
  void begin(const std::string& part, bool backward) {
    charge();
    open_.emplace_back(kind_of_part(part), backward);
  }
  void end() {
    charge();
    open_.pop_back();
  }
  // The times since the start, of each kind, in the order in which they were first charged.
  const std::vector<Times>& stop() {
    charge();
    return times_;
  }

 private:
  void charge() {
    const auto [kind, backward] =
        open_.empty() ? std::pair(std::string(kRest), false) : open_.back();
    auto found = std::find_if(times_.begin(), times_.end(),
                              [&kind = kind](const Times& times) { return times.kind == kind; });
    if (found == times_.end()) found = times_.insert(found, {kind});
    const double time = now();
    (backward ? found->backward : found->forward) += time - since_;
    since_ = time;
  }

  std::vector<Times> times_;
  std::vector<std::pair<std::string, bool>> open_;  // from the outermost part to the innermost
  double since_ = 0;                                // until then, all time is in times_
};

}  // namespace attn
