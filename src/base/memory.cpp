#include "base/memory.h"

#include "base/check.h"
#include "base/format.h"

namespace attn {

void check_memory(double bytes, const std::string& what, const std::string& advice,
                  double available) {
  ATTN_CHECK(bytes <= available, what, " takes about ", fixed(bytes / 1e9, 2),
             " GB of memory, and ", fixed(available / 1e9, 2), " GB are available; ", advice);
}

}  // namespace attn
