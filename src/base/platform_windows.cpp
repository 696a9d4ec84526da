// Windows.
#include "base/platform.h"

#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // libstdc++ defines it itself
#define NOMINMAX
#endif
#include <io.h>
#include <windows.h>

#include <psapi.h>  // after windows.h

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <thread>

namespace attn::platform {

std::ptrdiff_t read_standard_input(void* buffer, std::size_t bytes) {
  return _read(0, buffer, static_cast<unsigned>(std::min<std::size_t>(bytes, 1 << 30)));
}

int processors(const std::string&) {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void prefer_huge_pages(void*, std::size_t) {}

double available_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (GlobalMemoryStatusEx(&status) == 0) return kUnknownMemory;
  return static_cast<double>(std::min(status.ullAvailPageFile, status.ullAvailVirtual));
}

// False, after errno was set to what Windows calls its last error.
static bool failed() {
  const std::error_code code(static_cast<int>(GetLastError()), std::system_category());
  const std::error_condition condition = code.default_error_condition();
  errno = condition.category() == std::generic_category() ? condition.value() : EIO;
  return false;
}

std::int64_t file_size(std::FILE* file) {
  return _filelengthi64(_fileno(file));
}

void take_owner(std::FILE*, const std::string&) {}  // permissions are the directory's

bool sync_file(std::FILE* file) {
  return _commit(_fileno(file)) == 0;
}

bool sync_directory(const std::string&) {
  return true;  // MOVEFILE_WRITE_THROUGH has done it
}

const char* const new_file_mode = "wb";

bool replace_file(const std::string& from, const std::string& to) {
  return MoveFileExA(from.c_str(), to.c_str(),
                     MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0 ||
         failed();
}

std::shared_ptr<void> lock_file(const std::string& path) {
  const std::shared_ptr<void> file(
      CreateFileA(path.c_str(), GENERIC_READ | GENERIC_WRITE,
                  FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, nullptr, OPEN_ALWAYS,
                  FILE_ATTRIBUTE_NORMAL, nullptr),
      [](HANDLE handle) {
        if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
      });
  if (file.get() == INVALID_HANDLE_VALUE) {
    failed();
    return nullptr;
  }
  OVERLAPPED beginning{};
  const bool locked = LockFileEx(file.get(), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0,
                                 1, 0, &beginning) != 0;
  if (!locked && GetLastError() == ERROR_LOCK_VIOLATION) {
    errno = EWOULDBLOCK;
    return nullptr;
  }
  return file;
}

bool is_still_at(const std::shared_ptr<void>&, const std::string&) {
  return true;
}

std::size_t peak_memory() {
  PROCESS_MEMORY_COUNTERS counters;
  const HANDLE self = GetCurrentProcess();
  return GetProcessMemoryInfo(self, &counters, sizeof counters) ? counters.PeakWorkingSetSize : 0;
}

bool is_terminal(Stream stream) {
  return _isatty(stream) != 0;
}

int terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO info;
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info) ? info.dwSize.X : 80;
}

void occupy_closed_streams() {}  // a file that is opened takes no stream's place

}  // namespace attn::platform
