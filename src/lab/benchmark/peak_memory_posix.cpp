// Linux, macOS and other POSIX systems.
#include <sys/resource.h>

#include "lab/benchmark/system.h"

namespace attn {

std::size_t peak_memory() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return static_cast<std::size_t>(usage.ru_maxrss);
#else
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
}

}  // namespace attn
