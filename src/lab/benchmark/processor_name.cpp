// Each kind of processor is asked in its own way.
#include "lab/benchmark/system.h"

#include <cstring>
#include <fstream>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#endif

namespace attn {

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

}  // namespace attn
