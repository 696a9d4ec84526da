#include "lab/predecessors/window.h"

#include "base/check.h"

namespace attn {

void check(const Window& window) {
  ATTN_CHECK(window.width >= 1 && window.dilation >= 1,
             "a window has at least 1 position, at least 1 apart, not ", window.width,
             " positions ", window.dilation, " apart");
  ATTN_CHECK(window.causal || window.width % 2 == 1, "a window of ", window.width,
             " positions has no centre: their number must be odd");
}

}  // namespace attn
