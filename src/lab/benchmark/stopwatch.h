// Where the time of a training step goes: a stopwatch that is told when each part of a pass begins
// and ends, and adds up the time by kind of layer (lab/benchmark/cost.h has their names).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace attn {

// The kind of layer that a part of a pass belongs to, from its dotted name:
// "encoder.0.self_attention" is "encoder self-attention". Empty for a part that has no kind of its
// own and belongs to the one around it.
std::string kind_of_part(const std::string& part);

// Parts are nested. The time of a part inside another is not counted again for the outer one, so
// all times together are the time from start to stop.
class Stopwatch {
 public:
  // Forgets what it measured and starts again.
  void start();
  void begin(const std::string& part, bool backward);
  void end();
  // Seconds since the start.
  double stop();

  // Seconds between start and stop, forward or backward; of `kRest`, outside all parts.
  double seconds(const std::string& kind, bool backward) const;
  static constexpr const char* kRest = "the rest";

 private:
  using Key = std::pair<std::string, bool>;  // kind, backward
  void charge();

  std::map<Key, double> seconds_;
  std::vector<Key> open_;         // from the outermost part to the innermost
  double start_ = 0, since_ = 0;  // until `since_`, all time is in seconds_
};

}  // namespace attn
