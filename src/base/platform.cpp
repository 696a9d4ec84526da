// What depends on the processor more than on the system; the rest is in platform_posix.cpp and
// platform_windows.cpp.
#include "base/platform.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif
#ifdef __linux__
#include <sched.h>
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

std::string processor_name() {
  char name[256] = "";
#if defined(__x86_64__) || defined(__i386__)
  // The "brand string": 48 characters, in three leaves of cpuid.
  unsigned words[12] = {};
  for (unsigned i = 0; i < 3; ++i) {
    unsigned* w = words + 4 * i;
    if (__get_cpuid(0x80000002u + i, w, w + 1, w + 2, w + 3) == 0) break;
  }
  std::memcpy(name, words, sizeof words);
#elif defined(__APPLE__)
  std::size_t size = sizeof name - 1;
  if (sysctlbyname("machdep.cpu.brand_string", name, &size, nullptr, 0) != 0) name[0] = '\0';
#else
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.compare(0, 10, "model name") != 0 && line.compare(0, 5, "Model") != 0) continue;
    std::strncpy(name, line.substr(line.find(':') + 1).c_str(), sizeof name - 1);
    break;
  }
#endif
  // Some are padded with spaces, on either side.
  const std::string text = name;
  const std::size_t first = text.find_first_not_of(' ');
  return first == text.npos ? "unknown"
                            : text.substr(first, text.find_last_not_of(' ') - first + 1);
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
