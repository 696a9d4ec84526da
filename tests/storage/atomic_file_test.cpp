#include "storage/atomic_file.h"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/check.h"
#include "base/platform.h"
#include "support/temporary_directory.h"

using namespace attn;
using attn::test::TemporaryDirectory;
using doctest::Contains;
namespace fs = std::filesystem;

namespace {

#ifdef _WIN32
constexpr bool kWindows = true;
constexpr const char* kNotADirectory = "No such file or directory";
#else
constexpr bool kWindows = false;
constexpr const char* kNotADirectory = "Not a directory";
#endif

std::string temporary_of(const std::string& path) {
  return text(path, ".tmp-", platform::process_id());
}

// Makes every write to the temporary of `path` go to a device instead. False where there is none.
bool redirect_temporary(const std::string& path, const char* device) {
  if (!fs::exists(device)) return false;
  fs::create_symlink(device, temporary_of(path));
  return true;
}

void put(const std::string& path) {
  std::ofstream(path) << "what was left";
}

}  // namespace

TEST_SUITE("storage: atomic_file") {
  TEST_CASE("what is written is read back, whatever the bytes and the size") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    for (const std::size_t size : {0u, 1u, 65535u, 65536u, 65537u, 131072u, 1000003u}) {
      std::string contents(size, '\0');
      for (std::size_t i = 0; i < size; ++i) contents[i] = static_cast<char>(i * 7 % 256);
      write_file(path, contents);
      CHECK(read_file(path) == contents);
      CHECK(fs::file_size(path) == size);
    }
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a file may be written in pieces, of which some are empty") {
    const TemporaryDirectory directory;
    AtomicFile file(directory.path("file"));
    const int number = 0x01020304;
    file.write("ab");
    file.write("");
    file.write(nullptr, 0);
    file.write(&number, sizeof number);
    file.commit();
    CHECK(read_file(directory.path("file")) == "ab\x04\x03\x02\x01");
  }

  TEST_CASE("files without a size, such as those of /proc, are read to their end") {
    if (fs::exists("/proc/self/status")) CHECK(read_file("/proc/self/status").size() > 100);
  }

  TEST_CASE("the target stays as it was until commit, and is replaced then") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(path, "old");
    AtomicFile file(path);
    file.write("new");
    CHECK(read_file(path) == "old");
    CHECK(directory.entries() == 2);
    file.commit();
    CHECK(read_file(path) == "new");
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a temporary that an earlier process left behind is written over") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(temporary_of(path), "what was left");
    write_file(path, "new");
    CHECK(read_file(path) == "new");
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("what killed processes left of a file is removed when it is next written") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    // No process has such a number; the first process runs always; the others name no process. On
    // Windows numbers have 32 bits, and there is no first process.
    std::vector<const char*> left = {".tmp-999999999"};
    std::vector<const char*> others = {".tmp-", ".tmp-x", ".tmp-999999999x", ".tmp--5", ".tmp"};
    (kWindows ? others : left).push_back(".tmp-4294967297");
    if (!kWindows) others.push_back(".tmp-1");
    for (const char* end : left) put(path + end);
    for (const char* end : others) put(path + end);
    put(directory.path("other.tmp-999999999"));
    write_file(path, "new");
    for (const char* end : left) CHECK_MESSAGE(!fs::exists(path + end), end);
    for (const char* end : others) CHECK_MESSAGE(fs::exists(path + end), end);
    CHECK(fs::exists(directory.path("other.tmp-999999999")));
    CHECK(read_file(path) == "new");
  }

  TEST_CASE("a name alone is a file in the current directory") {
    const TemporaryDirectory directory;
    const fs::path before = fs::current_path();
    fs::current_path(directory.path());
    CHECK_NOTHROW(write_file("file", "text"));
    fs::current_path(before);
    CHECK(read_file(directory.path("file")) == "text");
  }

  TEST_CASE("without commit nothing happened, also when an exception is the reason") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(path, "old");
    { AtomicFile(path).write("new"); }
    CHECK(read_file(path) == "old");
    CHECK(directory.entries() == 1);

    const auto interrupted = [&] {
      AtomicFile file(path);
      file.write(std::string(100000, 'x'));
      fail("something else went wrong");
    };
    CHECK_THROWS_AS(interrupted(), Error);
    CHECK(read_file(path) == "old");
    CHECK(directory.entries() == 1);

    { AtomicFile(directory.path("never")); }
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a full disk is an error, and leaves the target untouched and nothing behind") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(path, "old");
    // Few bytes fail when the buffer is flushed, many while they are written.
    for (const std::size_t size : {1u, 4096u, 10000000u}) {
      CAPTURE(size);
      if (!redirect_temporary(path, "/dev/full")) return;
      CHECK_THROWS_WITH_AS(write_file(path, std::string(size, 'x')),
                           Contains("No space left on device; free some space"), Error);
      CHECK(read_file(path) == "old");
      CHECK(directory.entries() == 1);
    }
  }

  TEST_CASE("after a failure the temporary is gone at once, and the file cannot be used again") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    if (!redirect_temporary(path, "/dev/full")) return;
    AtomicFile file(path);
    CHECK_THROWS_AS(file.write(std::string(10000000, 'x')), Error);
    CHECK(directory.entries() == 0);
    CHECK_THROWS_WITH_AS(file.write("x"), Contains("it is closed"), Error);
    CHECK_THROWS_WITH_AS(file.commit(), Contains("it is closed"), Error);
    CHECK(directory.entries() == 0);
  }

  TEST_CASE("a file that cannot be synced is an error") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(path, "old");
    if (!redirect_temporary(path, "/dev/null")) return;  // takes everything, but cannot be synced
    CHECK_THROWS_WITH_AS(write_file(path, "new"), Contains("syncing"), Error);
    CHECK(read_file(path) == "old");
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a file that cannot be renamed is an error") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    AtomicFile file(path);
    file.write("new");
    make_directories(path);  // meanwhile somebody makes a directory of that name
    CHECK_THROWS_WITH_AS(file.commit(), Contains("renaming"), Error);
    CHECK(fs::is_directory(path));
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a file that is committed is finished") {
    const TemporaryDirectory directory;
    AtomicFile file(directory.path("file"));
    file.commit();
    CHECK_THROWS_WITH_AS(file.commit(), Contains("it is closed"), Error);
    CHECK_THROWS_WITH_AS(file.write("x"), Contains("it is closed"), Error);
    CHECK(read_file(directory.path("file")).empty());
  }

  TEST_CASE("a place that cannot be written to is an error that names the file and the reason") {
    const TemporaryDirectory directory;
    const std::string file = directory.path("file");
    write_file(file, "");
    CHECK_THROWS_WITH_AS(AtomicFile(directory.path("none/file")),
                         Contains("none/file: cannot create"), Error);
    CHECK_THROWS_WITH_AS(AtomicFile(directory.path("none/file")),
                         Contains("No such file or directory; is the path right?"), Error);
    CHECK_THROWS_WITH_AS(AtomicFile(file + "/inside"), Contains(kNotADirectory), Error);
    CHECK_THROWS_WITH_AS(AtomicFile(directory.path()), Contains("Is a directory"), Error);
    CHECK_THROWS_WITH_AS(AtomicFile(""), Contains("without a name"), Error);
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a device is never replaced by a file") {
    if (!fs::exists("/dev/null")) return;
    CHECK_THROWS_WITH_AS(AtomicFile("/dev/null"), Contains("neither a file nor missing"), Error);
    const TemporaryDirectory directory;
    const std::string link = directory.path("link");
    fs::create_symlink("/dev/null", link);
    CHECK_THROWS_AS(AtomicFile{link}, Error);
    CHECK(fs::is_character_file("/dev/null"));
  }

  TEST_CASE("a symbolic link stays one, and the file it names is replaced") {
    if (kWindows) return;  // where making one takes a right that few have
    const TemporaryDirectory directory;
    make_directories(directory.path("there"));
    const std::string link = directory.path("link"), file = directory.path("there/file");
    write_file(file, "old");
    fs::create_symlink("there/file", link);
    fs::remove(file);  // what it names may be missing yet
    write_file(link, "first");
    CHECK(fs::is_symlink(link));
    CHECK(read_file(file) == "first");
    write_file(link, "new");
    CHECK(fs::is_symlink(link));
    CHECK(read_file(file) == "new");
    CHECK(directory.entries() == 2);
  }

  TEST_CASE("what cannot be read is an error that names the file and the reason") {
    const TemporaryDirectory directory;
    const std::string file = directory.path("file");
    write_file(file, "");
    CHECK_THROWS_WITH_AS(read_file(directory.path("missing")),
                         Contains("missing: No such file or directory; is the path right?"), Error);
    CHECK_THROWS_WITH_AS(InputFile(directory.path()), Contains("Is a directory"), Error);
    CHECK_THROWS_WITH_AS(read_file(file + "/x"), Contains(kNotADirectory), Error);
    CHECK_THROWS_AS(read_file(""), Error);
    // The first page of this process's memory is there to be opened, not to be read.
    if (fs::exists("/proc/self/mem")) {
      CHECK_THROWS_WITH_AS(read_file("/proc/self/mem"), Contains("cannot read /proc"), Error);
    }
  }

  TEST_CASE("an input file gives what there is, then nothing") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(path, "abcde");
    InputFile file(path);
    char bytes[8] = {};
    CHECK(file.read(bytes, 0) == 0);
    CHECK(file.read(bytes, 3) == 3);
    CHECK(std::string(bytes) == "abc");
    CHECK(file.read(bytes, 8) == 2);
    CHECK(bytes[0] == 'd');
    CHECK(file.read(bytes, 8) == 0);
  }

  TEST_CASE("a file is locked once, until it is given up; one that cannot be made is named") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("lock");
    auto lock = lock_file(path);
    CHECK(lock != nullptr);
    CHECK(lock_file(path) == nullptr);
    lock = nullptr;
    CHECK(lock_file(path) != nullptr);
    CHECK_THROWS_WITH_AS(lock_file(directory.path()), doctest::Contains("cannot write /"), Error);
    CHECK_THROWS_WITH_AS(lock_file(directory.path("none/lock")),
                         doctest::Contains("none/lock: No such file or directory"), Error);
  }

  TEST_CASE("a file that is replaced keeps its permissions") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("private");
    write_file(path, "old");
    const fs::perms usual = fs::status(path).permissions();
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    const fs::perms own = fs::status(path).permissions();
    write_file(path, "new");
    CHECK(read_file(path) == "new");
    CHECK(fs::status(path).permissions() == own);
    write_file(directory.path("other"), "");
    CHECK(fs::status(directory.path("other")).permissions() == usual);
  }

  TEST_CASE("directories are made with those above them, and may be there already") {
    const TemporaryDirectory directory;
    make_directories(directory.path("a/b/c"));
    make_directories(directory.path("a/b/c"));
    make_directories(directory.path("a/b/d/"));
    make_directories(directory.path());
    CHECK(fs::is_directory(directory.path("a/b/c")));
    CHECK(fs::is_directory(directory.path("a/b/d")));
  }

  TEST_CASE("a file where a directory should be is named") {
    const TemporaryDirectory directory;
    write_file(directory.path("file"), "");
    for (const char* path : {"file", "file/", "file/a", "file/a/b"}) {
      CAPTURE(path);
      CHECK_THROWS_WITH_AS(make_directories(directory.path(path)), Contains("file is a file"),
                           Error);
    }
    CHECK_THROWS_WITH_AS(make_directories(""), Contains("without a name"), Error);
    if (fs::exists("/proc/self")) CHECK_THROWS_AS(make_directories("/proc/self/new/a"), Error);
    CHECK(directory.entries() == 1);
  }
}
