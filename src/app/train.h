// The parts of `train`: reading options (train_options.cpp) and reporting (train_report.cpp).
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace attn::app {

// What `attention train` learns: copy, reverse and text.
std::vector<Subject> paper_subjects();

// The settings of a preset with --architecture, --layers and so on, and with --vocabulary, or else
// this one. Throws UsageError for an impossible model.
Settings sized_settings(const Arguments& arguments, const std::string& preset_name,
                        Index vocabulary);

// The run to train: a new one, or that of --resume. Throws UsageError for options that do not fit,
// Error for files that do not or have moved, too little memory, or another process training there.
Run new_run(const Arguments& arguments);
Run resumed_run(const Arguments& arguments);
// What they begin with: all that can be known from the options alone.
RunPlan plan_run(const Arguments& arguments);
void check_resume_options(const Arguments& arguments);

// Whether a loss is above twice that of guessing, ln V, and 5 more, where pre-norm models of few
// tokens begin; or has ten times the best perplexity.
bool has_exploded(double loss, double guessing, double best);

// What is going to happen. minutes: the time budget, 0 for none.
void announce(const Run& run, const Subject& subject, double minutes);
// Of files, what was found in them: "4 pairs of a.fr and a.en; validated with 2".
std::string data_summary(const TrainingSettings& settings, const DataReport& report);

// How the run ended, and how to continue.
void say_end(const Arguments& arguments, const Run& run, TrainingEnd end, Index steps_taken,
             double seconds);
// Of a task, how many test sequences the model gets exactly right, with examples, to standard
// output; then which weights decode, and what to type next.
void report_result(const Arguments& arguments, const Run& run, const Subject& subject);

// A path to be typed again: relative to where we are if that is shorter, and quoted for the shell.
std::string typed_path(const std::string& path);

}  // namespace attn::app
