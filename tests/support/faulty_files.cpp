// A library that makes files fail, for tests/faults: loaded before the C library (LD_PRELOAD), it
// stands in for the calls with which the program writes, and counts them. Reading, and whatever
// goes to the standard streams, is left alone. The environment says what is to happen:
//
//   FAULT=rename:3:28      the third rename fails with errno 28 (fwrite writes half before it does)
//   FAULT=rename:3:before  the process is killed, as by kill -9, when it comes to the third rename
//   FAULT=rename:3:after   … when the third rename is done
//   FAULT_COUNTS=FILE      how often each was called, "rename 12", one a line, is written at the
//   end
#include <dlfcn.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

enum Call { kOpen, kWrite, kFlush, kClose, kSync, kRename, kMakeDirectory, kCalls };
constexpr const char* kNames[kCalls] = {"fopen", "fwrite", "fflush", "fclose",
                                        "fsync", "rename", "mkdir"};
int counts[kCalls];

template <class Function>
Function* real(Function*, const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

// The files that are open for writing.
constexpr int kMost = 64;
FILE* written[kMost];
bool is_written(FILE* file) {
  for (FILE* one : written) {
    if (one == file && file != nullptr) return true;
  }
  return false;
}

struct Fault {
  int call = -1, number = 0, error = 0;
  bool before = false, after = false;
  Fault() {
    const char* text = std::getenv("FAULT");
    if (text == nullptr) return;
    char name[32] = "", what[32] = "";
    if (std::sscanf(text, "%31[^:]:%d:%31s", name, &number, what) != 3) std::abort();
    for (int i = 0; i < kCalls; ++i) {
      if (std::strcmp(name, kNames[i]) == 0) call = i;
    }
    before = std::strcmp(what, "before") == 0;
    after = std::strcmp(what, "after") == 0;
    error = std::atoi(what);
  }
};
const Fault& fault() {
  static const Fault instance;
  return instance;
}

void die() {
  kill(getpid(), SIGKILL);
  pause();
}

// Counts a call; true if it is the one to fail.
bool fails(Call call) {
  const bool this_one = ++counts[call] == fault().number && fault().call == call;
  if (this_one && fault().before) die();
  if (!this_one || fault().after) return false;
  errno = fault().error;
  return true;
}

// What a call returned, unless the process is to be killed after it.
template <class Result>
Result done(Call call, Result result) {
  if (fault().after && fault().call == call && counts[call] == fault().number) die();
  return result;
}

FILE* open_file(const char* name, const char* path, const char* mode) {
  FILE* (*next)(const char*, const char*) = real(&std::fopen, name);
  if (mode[0] == 'r') return next(path, mode);
  if (fails(kOpen)) return nullptr;
  FILE* file = next(path, mode);
  for (FILE*& free : written) {
    if (free != nullptr || file == nullptr) continue;
    free = file;
    break;
  }
  return done(kOpen, file);
}

struct AtEnd {
  ~AtEnd() {
    const char* path = std::getenv("FAULT_COUNTS");
    if (path == nullptr) return;
    FILE* file = real(&std::fopen, "fopen")(path, "w");
    if (file == nullptr) return;
    for (int i = 0; i < kCalls; ++i) std::fprintf(file, "%s %d\n", kNames[i], counts[i]);
    real(&std::fclose, "fclose")(file);
  }
} at_end;

}  // namespace

extern "C" {

FILE* fopen(const char* path, const char* mode) {
  return open_file("fopen", path, mode);
}
FILE* fopen64(const char* path, const char* mode) {
  return open_file("fopen64", path, mode);
}

size_t fwrite(const void* data, size_t size, size_t count, FILE* file) {
  auto* next = real(&std::fwrite, "fwrite");
  if (!is_written(file)) return next(data, size, count, file);
  if (fails(kWrite)) {
    const size_t half = next(data, size, count / 2, file);
    errno = fault().error;
    return half;
  }
  return done(kWrite, next(data, size, count, file));
}

int fflush(FILE* file) {
  auto* next = real(&std::fflush, "fflush");
  if (!is_written(file)) return next(file);
  if (fails(kFlush)) return EOF;
  return done(kFlush, next(file));
}

int fclose(FILE* file) {
  auto* next = real(&std::fclose, "fclose");
  if (!is_written(file)) return next(file);
  for (FILE*& one : written) {
    if (one == file) one = nullptr;
  }
  const bool failed = fails(kClose);
  const int error = errno;
  const int result = next(file);  // the file is closed, whatever is said
  if (failed) errno = error;
  return done(kClose, failed ? EOF : result);
}

int fsync(int file) {
  if (fails(kSync)) return -1;
  return done(kSync, real(&::fsync, "fsync")(file));
}

int rename(const char* from, const char* to) noexcept {
  if (fails(kRename)) return -1;
  return done(kRename, real(&std::rename, "rename")(from, to));
}

int mkdir(const char* path, mode_t mode) noexcept {
  if (fails(kMakeDirectory)) return -1;
  return done(kMakeDirectory, real(&::mkdir, "mkdir")(path, mode));
}

}  // extern "C"
