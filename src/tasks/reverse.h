// The task `reverse`: h e l l o → o l l e h. Target word i is source word n + 1 - i, so the first
// step has to know where the source ends.
#pragma once

#include "tasks/task.h"

namespace attn {

Task reverse_task();

}  // namespace attn
