// Time is charged to the innermost open part, up to the moment at which another begins or ends.
#include "lab/benchmark/stopwatch.h"

#include "base/clock.h"
#include "base/printing.h"
#include "text/lines.h"

namespace attn {

std::string kind_of_part(const std::string& part) {
  const std::vector<std::string> names = split(part, '.');
  const std::string& whose = names[0];
  if (whose == "output") return "output projection and loss";
  if (whose == "adam") return "Adam";
  if (whose == "zero_gradients") return "zeroing gradients";

  // Dropout of embeddings and of sub-layers' outputs; any other is part of its sub-layer.
  // A decoder-only model's input is that of its decoder.
  const bool input = whose == "target" || whose == "input";
  const std::string side = whose == "decoder" || input ? "decoder" : "encoder";
  const bool embedding = whose == "source" || input;
  const bool dropout = names.size() > 1 && names.back() == "dropout";
  if (dropout && (embedding || ends_with(names[names.size() - 2], "_norm"))) {
    return side + " dropout";
  }
  if (embedding) return "embeddings and positions";
  if (whose != side) return "";

  // "encoder.norm", or a sub-layer: "encoder.0.self_attention" and whatever is inside it.
  if (names.size() == 2 && names[1] == "norm") return side + " norm";
  if (names.size() < 3) return "";
  if (names[2] == "self_attention") return side + " self-attention";
  if (names[2] == "cross_attention") return "encoder-decoder attention";
  if (names[2] == "feed_forward") return side + " feed-forward";
  return ends_with(names[2], "_norm") ? side + " add & norm" : "";
}

void Stopwatch::charge() {
  const double time = now();
  seconds_[open_.back()] += time - since_;
  since_ = time;
}

void Stopwatch::start() {
  seconds_.clear();
  open_ = {{kRest, false}};
  start_ = since_ = now();
}

void Stopwatch::begin(const std::string& part, bool backward) {
  charge();
  const std::string kind = kind_of_part(part);
  open_.push_back(kind.empty() ? open_.back() : Key{kind, backward});
}

void Stopwatch::end() {
  charge();
  open_.pop_back();
}

double Stopwatch::stop() {
  charge();
  return since_ - start_;
}

double Stopwatch::seconds(const std::string& kind, bool backward) const {
  const auto found = seconds_.find({kind, backward});
  return found == seconds_.end() ? 0 : found->second;
}

}  // namespace attn
