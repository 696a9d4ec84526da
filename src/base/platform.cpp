#include "base/platform.h"

#include <algorithm>
#include <cerrno>
#include <clocale>
#include <cstdint>
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
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#endif

namespace attn::platform {

namespace {
[[maybe_unused]] constexpr double kUnknownMemory = 1e30;
}

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

double available_memory() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  if (GlobalMemoryStatusEx(&status) == 0) return kUnknownMemory;
  return static_cast<double>(std::min(status.ullAvailPageFile, status.ullAvailVirtual));
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

namespace {
struct OpenFile {
  HANDLE handle;
  explicit OpenFile(HANDLE h) : handle(h) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (handle != INVALID_HANDLE_VALUE) CloseHandle(handle);
  }
};
}  // namespace

std::shared_ptr<void> lock_file(const std::string& path) {
  const auto file =
      std::make_shared<OpenFile>(CreateFileA(path.c_str(), GENERIC_READ | GENERIC_WRITE,
                                             FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                             nullptr, OPEN_ALWAYS, FILE_ATTRIBUTE_NORMAL, nullptr));
  OVERLAPPED beginning{};
  const bool locked = LockFileEx(file->handle, LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY,
                                 0, 1, 0, &beginning) != 0;
  if (!locked && GetLastError() == ERROR_LOCK_VIOLATION) return nullptr;
  return file;
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

#ifdef __linux__

namespace {
// The number after `key` in a file such as /proc/meminfo, or its first number if the key is empty.
double number_in_file(const std::string& path, const std::string& key = "") {
  std::ifstream file(path);
  std::string word;
  while (!key.empty() && word != key && file >> word) {
  }
  double number = 0;
  return file >> number ? number : kUnknownMemory;
}

// What the limit of a control group, in `directory`, leaves. The cache of files gives way.
double left_in_group(const std::string& directory, const char* limit, const char* usage,
                     const char* cache) {
  const double most = number_in_file(directory + limit);
  const double cached = number_in_file(directory + "memory.stat", cache);
  const double used = number_in_file(directory + usage);
  if (most == kUnknownMemory || used == kUnknownMemory) return kUnknownMemory;
  return std::max(0.0, most - used + (cached == kUnknownMemory ? 0 : cached));
}

// The control group of this process, "/" if unknown. Lines are "4:memory:/a/b" and "0::/a/b".
std::string control_group(const std::string& controller) {
  std::ifstream file("/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t at = line.find(":" + controller + ":");
    if (at != line.npos) return line.substr(at + controller.size() + 2) + "/";
  }
  return "/";
}
}  // namespace

double available_memory() {
  double bytes = 1024 * number_in_file("/proc/meminfo", "MemAvailable:");
  const std::string groups = "/sys/fs/cgroup";
  for (const std::string& group : {std::string("/"), control_group("")}) {
    bytes = std::min(
        bytes, left_in_group(groups + group, "memory.max", "memory.current", "inactive_file"));
  }
  for (const std::string& group : {std::string("/"), control_group("memory")}) {
    bytes = std::min(bytes, left_in_group(groups + "/memory" + group, "memory.limit_in_bytes",
                                          "memory.usage_in_bytes", "total_inactive_file"));
  }
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    const double used = 1024 * number_in_file("/proc/self/status", "VmSize:");
    bytes = std::min(bytes, std::max(0.0, static_cast<double>(addresses.rlim_cur) - used));
  }
  return bytes;
}

#elif defined(__APPLE__)

double available_memory() {
  std::uint64_t bytes = 0;  // all that the machine has: other processes give way to the disk
  std::size_t size = sizeof bytes;
  return sysctlbyname("hw.memsize", &bytes, &size, nullptr, 0) == 0 ? static_cast<double>(bytes)
                                                                    : kUnknownMemory;
}

#else

double available_memory() {
  return kUnknownMemory;
}

#endif

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

namespace {
struct OpenFile {
  int descriptor;
  explicit OpenFile(int d) : descriptor(d) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor >= 0) close(descriptor);
  }
};
}  // namespace

std::shared_ptr<void> lock_file(const std::string& path) {
  const auto file =
      std::make_shared<OpenFile>(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666));
  if (flock(file->descriptor, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return nullptr;
  return file;
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
