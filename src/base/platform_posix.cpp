// Linux, macOS and other POSIX systems.
#include "base/platform.h"

#include <fcntl.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <thread>
#include <vector>

namespace attn::platform {

std::ptrdiff_t read_standard_input(void* buffer, std::size_t bytes) {
  for (;;) {
    const ssize_t count = read(0, buffer, bytes);
    if (count >= 0 || errno != EINTR) return count;
  }
}

void prefer_huge_pages(void* memory, std::size_t bytes) {
#ifdef __linux__
  madvise(memory, bytes, MADV_HUGEPAGE);  // a hint: it may fail
#else
  (void)memory, (void)bytes;
#endif
}

#ifdef __linux__

namespace {
// The number after `key` (if empty, the first) in a file such as /proc/meminfo, or `otherwise`.
double number_in_file(const std::string& path, const std::string& key, double otherwise) {
  std::ifstream file(path);
  std::string word;
  while (!key.empty() && word != key && file >> word) {
  }
  double number = 0;
  return file >> number ? number : otherwise;
}

// This process's control groups, outermost first. Version 1 has a hierarchy per controller, with
// lines "4:cpu,cpuacct:/a/b"; version 2 has one, "0::/a/b", and the controller is "". A container
// sees its own group as the root, under whatever name its host has for it.
std::vector<std::string> control_groups(const std::string& root, const std::string& controller) {
  const std::string mounted = root + "/sys/fs/cgroup/" + controller;
  std::vector<std::string> directories{mounted + "/"};
  std::ifstream file(root + "/proc/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t names = line.find(':') + 1, path = line.find(':', names) + 1;
    if (names == 0 || path == 0) continue;
    if (("," + line.substr(names, path - names - 1) + ",").find("," + controller + ",") ==
        std::string::npos) {
      continue;
    }
    for (std::size_t end = path + 1; end < line.size(); ++end) {
      end = std::min(line.find('/', end), line.size());
      directories.push_back(mounted + line.substr(path, end - path) + "/");
    }
  }
  return directories;
}

// What the limit of a control group leaves. The cache of files gives way.
double left_in_group(const std::string& directory, const char* limit, const char* usage,
                     const char* cache) {
  const double most = number_in_file(directory + limit, "", kUnknownMemory);
  const double used = number_in_file(directory + usage, "", 0);
  return std::max(0.0, most - used + number_in_file(directory + "memory.stat", cache, 0));
}
}  // namespace

int processors(const std::string& root) {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  double count = std::thread::hardware_concurrency();
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) count = CPU_COUNT(&allowed);

  // Threads that together use up the quota wait, all of them, for the rest of the period.
  for (const std::string& group : control_groups(root, "")) {  // "max 100000", "150000 100000"
    std::ifstream file(group + "cpu.max");
    double quota = 0, period = 0;
    if (file >> quota >> period && period > 0) count = std::min(count, quota / period);
  }
  for (const std::string& group : control_groups(root, "cpu")) {  // -1: none
    const double quota = number_in_file(group + "cpu.cfs_quota_us", "", -1);
    const double period = number_in_file(group + "cpu.cfs_period_us", "", 0);
    if (quota > 0 && period > 0) count = std::min(count, quota / period);
  }
  return std::max(1, static_cast<int>(count));
}

double available_memory() {
  double bytes = 1024 * number_in_file("/proc/meminfo", "MemAvailable:", kUnknownMemory);
  for (const std::string& group : control_groups("", "")) {
    bytes = std::min(bytes, left_in_group(group, "memory.max", "memory.current", "inactive_file"));
  }
  for (const std::string& group : control_groups("", "memory")) {
    bytes = std::min(bytes, left_in_group(group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                          "total_inactive_file"));
  }
  rlimit addresses{};
  if (getrlimit(RLIMIT_AS, &addresses) == 0 && addresses.rlim_cur != RLIM_INFINITY) {
    const double used = 1024 * number_in_file("/proc/self/status", "VmSize:", 0);
    bytes = std::min(bytes, std::max(0.0, static_cast<double>(addresses.rlim_cur) - used));
  }
  return bytes;
}

#else

int processors(const std::string&) {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

double available_memory() {
#ifdef __APPLE__  // all that the machine has: other processes give way to the disk
  return static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
#else
  return kUnknownMemory;
#endif
}

#endif

std::int64_t file_size(std::FILE* file) {
  struct stat of {};
  return fstat(fileno(file), &of) == 0 ? of.st_size : -1;
}

void take_owner(std::FILE* file, const std::string& other) {
  struct stat of {};
  if (stat(other.c_str(), &of) != 0 || fchown(fileno(file), of.st_uid, of.st_gid) == 0) return;
  if (fchown(fileno(file), static_cast<uid_t>(-1), of.st_gid) != 0) return;  // not in that group
}

bool sync_file(std::FILE* file) {
  return fsync(fileno(file)) == 0;
}

namespace {
struct OpenFile {
  explicit OpenFile(int opened) : number(opened) {}
  ~OpenFile() {
    if (number >= 0) close(number);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  const int number;
};
}  // namespace

bool sync_directory(const std::string& path) {
  // Some file systems cannot sync a directory, and one may write to a directory that one may not
  // read. The file itself is safe by now, so neither is a reason to fail.
  const OpenFile directory(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  return (directory.number >= 0 && fsync(directory.number) == 0) || errno == EINVAL ||
         errno == ENOTSUP || errno == EBADF || errno == EACCES;
}

const char* const new_file_mode = "wbx";

bool replace_file(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

std::shared_ptr<void> lock_file(const std::string& path) {
  // A program that this one starts does not inherit the lock.
  const auto file =
      std::make_shared<OpenFile>(open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666));
  if (file->number < 0) return nullptr;
  if (flock(file->number, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return nullptr;
  return file;
}

bool is_still_at(const std::shared_ptr<void>& lock, const std::string& path) {
  struct stat locked {};
  struct stat there {};
  return fstat(static_cast<const OpenFile*>(lock.get())->number, &locked) == 0 &&
         stat(path.c_str(), &there) == 0 && locked.st_dev == there.st_dev &&
         locked.st_ino == there.st_ino;
}

std::size_t peak_memory() {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#ifdef __APPLE__
  return usage.ru_maxrss;
#else
  return usage.ru_maxrss * 1024;
#endif
}

bool is_terminal(Stream stream) {
  return isatty(stream) != 0;
}

int terminal_columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void occupy_closed_streams() {
  for (const Stream stream : {standard_input, standard_output, standard_error}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is this one. Opened the wrong way round, so that using it fails.
    if (open("/dev/null", stream == standard_input ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

}  // namespace attn::platform
