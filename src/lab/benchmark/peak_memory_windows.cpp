// Windows.
#include "lab/benchmark/system.h"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // libstdc++ defines it itself
#define NOMINMAX
#endif
#include <windows.h>

#include <psapi.h>

namespace attn {

std::size_t peak_memory() {
  PROCESS_MEMORY_COUNTERS counters;
  const HANDLE self = GetCurrentProcess();
  return GetProcessMemoryInfo(self, &counters, sizeof counters) ? counters.PeakWorkingSetSize : 0;
}

}  // namespace attn
