// From the options of `train` to a run.
#pragma once

#include <string>
#include <vector>

#include "app/options.h"

namespace attn::app {

// What `attention train` learns: copy, reverse and text.
std::vector<Subject> paper_subjects();

// A path to be typed again: relative to where we are if that is shorter, and quoted for the shell.
std::string typed_path(const std::string& path);

// The run that is to be trained: a new one, or with --resume one from its directory. Throws
// UsageError for an impossible model or training, for options that the task does not have or that
// are fixed by the run; and Error for files that do not fit together or have moved, if memory does
// not suffice for a step, and if another process trains in the directory.
Run begin_run(const Arguments& arguments);
// Its parts: the plan of a new run; and the check of what was given with --resume.
RunPlan plan_run(const Arguments& arguments);
void check_resume_options(const Arguments& arguments);

}  // namespace attn::app
