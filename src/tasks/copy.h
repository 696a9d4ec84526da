// The task `copy`: h e l l o → h e l l o. What attention needs for it is positions: target word i
// is source word i.
#pragma once

#include "tasks/task.h"

namespace attn {

Task copy_task();

}  // namespace attn
