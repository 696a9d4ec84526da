// One table of names serves the file of a run and the command line.
#include "training/training_settings.h"

#include "base/check.h"
#include "text/corpus.h"

namespace attn {

const std::vector<Setting<TrainingSettings>>& settings_of(const TrainingSettings&) {
  using T = TrainingSettings;
  static const std::vector<Setting<T>> settings = {
      text_setting("task", &T::task),
      text_setting("source", &T::source),
      text_setting("target", &T::target),
      text_setting("valid_source", &T::valid_source),
      text_setting("valid_target", &T::valid_target),
      text_setting("pairs", &T::pairs),
      word_setting("swap", &T::swap, {{"no", false}, {"yes", true}}),
      text_setting("text", &T::text),
      text_setting("valid_text", &T::valid_text),
      size_setting("context", &T::context, 2, kLongestSentence),
      size_setting("hold_out", &T::hold_out, 0, kLargestCount),
      text_setting("source_fingerprint", &T::source_fingerprint),
      text_setting("target_fingerprint", &T::target_fingerprint),
      text_setting("valid_source_fingerprint", &T::valid_source_fingerprint),
      text_setting("valid_target_fingerprint", &T::valid_target_fingerprint),
      text_setting("text_fingerprint", &T::text_fingerprint),
      text_setting("valid_text_fingerprint", &T::valid_text_fingerprint),
      size_setting("steps", &T::steps, 0, kLargestCount),
      size_setting("batch_tokens", &T::batch_tokens, 1, Index{1} << 24),
      size_setting("accumulate", &T::accumulate, 1, kLargestCount),
      number_setting("clip", &T::clip),
      size_setting("warmup", &T::warmup, 1, kLargestCount),
      number_setting("learning_rate_scale", &T::learning_rate_scale),
      probability_setting("averaging", &T::averaging),
      number_setting("seed", &T::seed),
      size_setting("validate_every", &T::validate_every, 1, kLargestCount),
      size_setting("solved_after", &T::solved_after, 0, kLargestCount),
      word_setting("keep", &T::keep_last, {{"best", false}, {"last", true}}),
      size_setting("patience", &T::patience, 0, kLargestCount),
      size_setting("save_every", &T::save_every, 0, kLargestCount),
  };
  return settings;
}

void check(const TrainingSettings& s) {
  check_settings(s);
  const double rate = s.learning_rate_scale;
  ATTN_CHECK(s.clip >= 0 && s.clip <= 1e9, "clip must be at least 0 and at most 1e9, not ",
             shortest(s.clip));
  ATTN_CHECK(rate > 0 && rate <= 1e9, "learning_rate_scale must be more than 0 and at most 1e9, ",
             "not ", shortest(rate));
}

}  // namespace attn
