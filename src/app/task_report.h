// What a model has learned of a task: how many test sequences it gets exactly right, and examples.
#pragma once

#include "model/sequence_model.h"
#include "tasks/task.h"

namespace attn::app {

// To standard output; sequences longer than any in training have a line of their own.
void report_task(const SequenceModel& model, const Task& task);

}  // namespace attn::app
