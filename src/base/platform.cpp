// What Linux alone can tell about processors, with an answer for every other system, and how each
// processor waits. The rest is in platform_posix.cpp and platform_windows.cpp.
#include "base/platform.h"

#include <algorithm>
#include <cstdio>
#include <thread>

#ifdef __linux__
#include <fcntl.h>
#include <sched.h>
#include <unistd.h>
#endif

namespace attn::platform {

int processors() {
#ifdef __linux__
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) {
    return std::max(1, CPU_COUNT(&allowed));
  }
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int processor_here() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

void leave_processor([[maybe_unused]] int processor) {
#ifdef __linux__
  cpu_set_t allowed, others;
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  others = allowed;
  CPU_CLR(static_cast<std::size_t>(processor), &others);
  if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others) != 0) return;
  sched_setaffinity(0, sizeof allowed, &allowed);
#endif
}

double seconds_waited() {
#ifdef __linux__
  struct File {
    int descriptor = open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
    ~File() {
      if (descriptor >= 0) close(descriptor);
    }
  };
  thread_local const File file;
  char text[64];
  const ssize_t bytes = pread(file.descriptor, text, sizeof text - 1, 0);
  unsigned long long ran, waited;  // nanoseconds
  if (bytes > 0) {
    text[bytes] = '\0';
    if (std::sscanf(text, "%llu %llu", &ran, &waited) == 2)
      return 1e-9 * static_cast<double>(waited);
  }
#endif
  return 0;
}

void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#else
  std::this_thread::yield();
#endif
}

}  // namespace attn::platform
