#include "base/platform.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>

#if defined(__x86_64__) || defined(__i386__)
#include <cpuid.h>
#elif defined(__APPLE__)
#include <sys/sysctl.h>
#include <xlocale.h>
#endif

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX  // libstdc++ defines it itself
#define NOMINMAX
#endif
#include <io.h>
#include <windows.h>

#include <psapi.h>
#else
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
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

double read_double(const char* text, const char** end) {
  char* stop = nullptr;
#ifdef _WIN32
  static const _locale_t plain = _create_locale(LC_ALL, "C");
  const double number = _strtod_l(text, &stop, plain);
#else
  static const locale_t plain = newlocale(LC_ALL_MASK, "C", nullptr);
  const double number = strtod_l(text, &stop, plain);
#endif
  *end = stop;
  return number;
}

#ifdef _WIN32

bool is_terminal(Stream stream) {
  return _isatty(stream) != 0;
}

int terminal_columns() {
  CONSOLE_SCREEN_BUFFER_INFO info;
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &info) ? info.dwSize.X : 80;
}

std::ptrdiff_t read_standard_input(void* buffer, std::size_t bytes) {
  return _read(0, buffer, static_cast<unsigned>(std::min<std::size_t>(bytes, 1 << 30)));
}

std::int64_t standard_input_size() {
  if (GetFileType(GetStdHandle(STD_INPUT_HANDLE)) != FILE_TYPE_DISK) return -1;
  return _filelengthi64(0) - _telli64(0);
}

void prefer_huge_pages(void*, std::size_t) {}

std::size_t peak_memory() {
  PROCESS_MEMORY_COUNTERS counters;
  const HANDLE self = GetCurrentProcess();
  return GetProcessMemoryInfo(self, &counters, sizeof counters) ? counters.PeakWorkingSetSize : 0;
}

namespace {
// False, after errno was set to what Windows calls its last error.
bool failed() {
  const std::error_code code(static_cast<int>(GetLastError()), std::system_category());
  const std::error_condition condition = code.default_error_condition();
  errno = condition.category() == std::generic_category() ? condition.value() : EIO;
  return false;
}
}  // namespace

bool sync_file(const std::string& path) {
  const HANDLE file = CreateFileA(path.c_str(), GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  nullptr, OPEN_EXISTING, 0, nullptr);
  if (file == INVALID_HANDLE_VALUE) return failed();
  const bool ok = FlushFileBuffers(file) != 0 || failed();
  CloseHandle(file);
  return ok;
}

bool sync_directory(const std::string&) {
  return true;  // MOVEFILE_WRITE_THROUGH has done it
}

bool replace_file(const std::string& from, const std::string& to) {
  return MoveFileExA(from.c_str(), to.c_str(),
                     MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0 ||
         failed();
}

unsigned long process_id() {
  return GetCurrentProcessId();
}

bool process_runs(unsigned long id) {
  const HANDLE process = OpenProcess(SYNCHRONIZE, FALSE, id);
  if (process == nullptr) return GetLastError() != ERROR_INVALID_PARAMETER;
  const bool ended = WaitForSingleObject(process, 0) == WAIT_OBJECT_0;
  CloseHandle(process);
  return !ended;
}

#else

bool is_terminal(Stream stream) {
  return isatty(stream) != 0;
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::ptrdiff_t read_standard_input(void* buffer, std::size_t bytes) {
  for (;;) {
    const ssize_t count = read(0, buffer, bytes);
    if (count >= 0 || errno != EINTR) return count;
  }
}

std::int64_t standard_input_size() {
  struct stat file {};
  if (fstat(0, &file) != 0 || !S_ISREG(file.st_mode)) return -1;
  return std::max<std::int64_t>(0, file.st_size - lseek(0, 0, SEEK_CUR));
}

void prefer_huge_pages(void* memory, std::size_t bytes) {
#ifdef __linux__
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: it may fail
#else
  (void)memory, (void)bytes;
#endif
}

std::size_t peak_memory() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return static_cast<std::size_t>(usage.ru_maxrss);
#else
  return static_cast<std::size_t>(usage.ru_maxrss) * 1024;
#endif
}

namespace {
bool sync_path(const std::string& path, int flags) {
  const int file = open(path.c_str(), flags | O_CLOEXEC);
  if (file < 0) return false;
  if (fsync(file) == 0) return close(file) == 0;
  const int reason = errno;
  close(file);
  errno = reason;
  return false;
}
}  // namespace

bool sync_file(const std::string& path) {
  return sync_path(path, O_WRONLY);
}

bool sync_directory(const std::string& path) {
  // Some file systems cannot sync a directory, and one may write to a directory that one may not
  // read. The file itself is safe by now, so neither is a reason to fail.
  return sync_path(path, O_RDONLY | O_DIRECTORY) || errno == EINVAL || errno == ENOTSUP ||
         errno == EBADF || errno == EACCES;
}

bool replace_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

unsigned long process_id() {
  return static_cast<unsigned long>(getpid());
}

bool process_runs(unsigned long id) {
  // Not every number can be a process's: 0 and what turns negative would name groups of them.
  const pid_t process = static_cast<pid_t>(id);
  if (process <= 0 || static_cast<unsigned long>(process) != id) return false;
  return kill(process, 0) == 0 || errno != ESRCH;
}

#endif

}  // namespace attn::platform
