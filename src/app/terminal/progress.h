// What a user sees while training. On a terminal: a redrawn line, and above it a line for each
// validation. In a pipe or a file, or if TERM is dumb: lines, at least every half minute.
#pragma once

#include <functional>
#include <string>

#include "app/terminal/console.h"
#include "training/trainer.h"

namespace attn {

// What the line on a terminal shows.
struct ProgressState {
  Index step = 0, steps = 0;
  double seconds = 0, seconds_left = 0;
  bool by_time = false;  // --minutes ends it, before all steps are taken
  bool at_most = false;  // training may end earlier
  double loss = 0;       // of the last steps
  double accuracy = 0;   // likewise, 0 to 1
  double tokens_per_second = 0;
};

// At most `columns` columns: as many of these numbers as fit, in this order, and perhaps a bar.
std::string progress_line(const ProgressState& state, std::size_t columns);

class Progress {
 public:
  enum class Style { silent, lines, bar };
  // minutes: the time budget, 0 for none. clock: seconds.
  Progress(Style style, const TrainingSettings& settings, Index first_step, double minutes,
           std::function<double()> clock = attn::now);
  void step(const StepReport& report);
  // A line that stays. `validation` may be null; on a terminal there is then nothing to say.
  void milestone(Index step, const Validation* validation);
  void clear() { line_.clear(); }

  double seconds() const { return now_() - start_; }  // since the beginning

 private:
  Style style_;
  StatusLine line_;
  ProgressState state_;
  Index first_step_;
  double minutes_;
  std::function<double()> now_;
  double start_, said_;  // when, as now_() says
  // Sums over the last steps: each step counts 5 % less than the one after it.
  double loss_ = 0, correct_ = 0, target_tokens_ = 0, tokens_ = 0, seconds_ = 0;
};

}  // namespace attn
