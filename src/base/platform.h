// What differs between operating systems and between processors, and nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>

namespace attn::platform {

// The number of processors this process may use, at least 1: those it may run on, capped by its
// control groups' quotas, rounded down. (`root` is the file system's, except in tests.)
int processors(const std::string& root = "");
// Tells the processor that this thread is waiting in a loop.
inline void pause() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#else
  std::this_thread::yield();
#endif
}
// Waits until standard input has something and reads up to `bytes` bytes of it. Returns their
// number: 0 at its end, -1 with errno set on failure.
std::ptrdiff_t read_standard_input(void* buffer, std::size_t bytes);
// Asks for pages of 2 MiB where the system has them; `memory` begins at a multiple of that.
void prefer_huge_pages(void* memory, std::size_t bytes);
// The memory, in bytes, that this process can still take within its limits and without displacing
// other processes; kUnknownMemory, a very large number, if unknown.
double available_memory();
constexpr double kUnknownMemory = 1e30;

// Forces what was written and flushed to the file, or the names in the directory, onto the disk.
// False, with errno set, if that failed. Where directories cannot be synced, nothing is done.
bool sync_file(std::FILE* file);
bool sync_directory(const std::string& path);
// The bytes in an open file, whatever has become of its path; -1, with errno set, on failure.
std::int64_t file_size(std::FILE* file);
// Gives a file the owner and the group of another; if this process may not, the group alone.
void take_owner(std::FILE* file, const std::string& other);
// The mode in which fopen makes a file that must not be there yet. (Windows does not check that.)
extern const char* const new_file_mode;
// Renames a file over another, which is replaced in one step. False, with errno set, on failure.
bool replace_file(const std::string& from, const std::string& to);
// Locks a file, created if missing, until the result is destroyed or the process ends. Null, with
// errno set, on failure (EWOULDBLOCK: already locked). A system without locks excludes no one.
std::shared_ptr<void> lock_file(const std::string& path);
// Whether the file that was locked is still at its path, neither moved nor removed nor replaced.
// (Always true on Windows, which moves no directory in which a file is open.)
bool is_still_at(const std::shared_ptr<void>& lock, const std::string& path);
// The most memory that this process has held at once, in bytes; 0 if unknown.
std::size_t peak_memory();

enum Stream { standard_input = 0, standard_output = 1, standard_error = 2 };
// Whether a stream is a terminal; the columns of the terminal on standard error, or 80.
bool is_terminal(Stream stream = standard_error);
int terminal_columns();
// Occupies the streams that were closed when the program began, so that no file which is opened
// later takes such a stream's place and is written what was meant for it. Using them still fails.
void occupy_closed_streams();

}  // namespace attn::platform
