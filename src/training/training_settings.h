// The settings of a training run: their defaults here, their values in a run's file.
#pragma once

#include <cstdint>
#include <string>

#include "base/real.h"
#include "base/settings.h"
#include "text/corpus.h"

namespace attn {

// How to train; kept with the run, so that a resumed run continues in the same way.
struct TrainingSettings {
  std::string task = "copy";  // or another of tasks/task.h; or text, language
  std::string source, target, valid_source, valid_target;  // the files of `text`,
  std::string pairs;                                       // or one of two columns
  bool swap = false;                                       // the first column is the target
  std::string text, valid_text;                            // the files of `language`
  Index context = 256;                                     // tokens of its windows
  Index hold_out = 0;  // without validation files, one source in this many; 0: none
  // Of the training and validation lines, lest a resumed run use others; "": not known yet.
  std::string fingerprint, valid_fingerprint;
  Index steps = 100000;       // in total, a resumed run's earlier steps included
  Index batch_tokens = 4096;  // the most source, and the most target, tokens of a batch
  Index accumulate = 1;       // batches whose gradients are added up before a step
  double clip = 0;            // the longest gradient, as a 2-norm, that a step follows; 0: any
  Index warmup = 4000;        // steps
  double learning_rate_scale = 1;
  double averaging = 0;         // the share of the mean weights that a step keeps; 0: no mean
  std::uint64_t seed = 1;       // of weights, data and dropout
  Index validate_every = 1000;  // steps
  // Stop when a validation and then this many fresh sentences were without a mistake; 0: never.
  Index solved_after = 0;
  bool keep_last = false;  // decode with the last weights, not with those of the best validation
  Index patience = 0;      // stop when this many in a row are no better than the best; 0: never
  Index save_every = 0;    // steps between checkpoints that are kept; 0: none
};

constexpr Bounds kOneOrMore{1, kLargestCount}, kAnyCount{0, kLargestCount};

// By name, for base/settings.h: one list serves the file of a run and the command line.
template <class Visit>
void visit_settings(TrainingSettings& s, const Visit& visit) {
  visit("task", s.task, AnyText());
  visit("source", s.source, AnyText());
  visit("target", s.target, AnyText());
  visit("valid_source", s.valid_source, AnyText());
  visit("valid_target", s.valid_target, AnyText());
  visit("pairs", s.pairs, AnyText());
  visit("swap", s.swap, yes_or_no());
  visit("text", s.text, AnyText());
  visit("valid_text", s.valid_text, AnyText());
  visit("context", s.context, Bounds{2, kLongestSentence});
  visit("hold_out", s.hold_out, kAnyCount);
  visit("fingerprint", s.fingerprint, AnyText());
  visit("valid_fingerprint", s.valid_fingerprint, AnyText());
  visit("steps", s.steps, kAnyCount);
  visit("batch_tokens", s.batch_tokens, Bounds{1, Index{1} << 24});
  visit("accumulate", s.accumulate, kOneOrMore);
  visit("clip", s.clip, Bounds{0, 1e9});
  visit("warmup", s.warmup, kOneOrMore);
  visit("learning_rate_scale", s.learning_rate_scale, Bounds{1e-12, 1e9});
  visit("averaging", s.averaging, kProbability);
  visit("seed", s.seed, kUnbounded);
  visit("validate_every", s.validate_every, kOneOrMore);
  visit("solved_after", s.solved_after, kAnyCount);
  visit("keep", s.keep_last, OneOf<bool>{{"best", false}, {"last", true}});
  visit("patience", s.patience, kAnyCount);
  visit("save_every", s.save_every, kAnyCount);
}
// Throws Error naming the first setting that makes no sense.
inline void check(const TrainingSettings& settings) {
  check_settings(settings);
}

}  // namespace attn
