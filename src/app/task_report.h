// What a model has learned of a task: how many test sequences it gets exactly right, and examples.
#pragma once

#include <string>

#include "model/sequence_model.h"
#include "tasks/task.h"

namespace attn {

// As lines of text; sequences longer than any in training have a line of their own.
std::string task_report(const SequenceModel& model, const Task& task);

}  // namespace attn
