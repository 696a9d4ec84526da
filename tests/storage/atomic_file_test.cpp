#include "storage/atomic_file.h"

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "base/check.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

#ifndef _WIN32
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#endif

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

void make_older(const std::string& path, std::chrono::minutes age) {
  fs::last_write_time(path, fs::file_time_type::clock::now() - age);
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
    write_file(path, {"ab", "", std::string_view(), std::string_view("\0c", 2)});
    CHECK(read_file(path) == std::string("ab\0c", 4));
    CHECK(directory.entries() == 1);
    // A name alone is a file in the current directory.
    const fs::path before = fs::current_path();
    fs::current_path(directory.path());
    CHECK_NOTHROW(write_file("file", "text"));
    fs::current_path(before);
    CHECK(read_file(path) == "text");
    // Files without a size are read to their end.
    if (fs::exists("/proc/self/status")) CHECK(read_file("/proc/self/status").size() > 100);
  }

  TEST_CASE("what killed processes left of a file is removed, what others write is not") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    const std::string left = path + ".tmp-0123456789abcdef", large = path + ".tmp-ffffffffffffffff";
    const std::string fresh = path + ".tmp-0000000000000001";
    const std::string locked = path + ".tmp-0000000000000002";
    const std::string other = directory.path("other.tmp-0000000000000003");
    std::vector<std::string> kept{fresh, locked, other};
    for (const char* end : {".tmp-", ".tmp-x", ".tmp-20261129", ".tmp-00123456789abcdef",
                            ".tmp-0123456789ABCDEF", "-0123456789abcdef", ".tmp"}) {
      kept.push_back(path + end);
    }
    for (const std::string& name : kept) write_file(name, "of others");
    for (const std::string& name : {left, large}) write_file(name, "what was left");
    for (const fs::directory_entry& entry : fs::directory_iterator(directory.path())) {
      make_older(entry.path().string(), std::chrono::hours(1));
    }
    make_older(fresh, std::chrono::minutes(1));  // on a disk that cannot lock, it may be written to
    const auto lock = lock_file(locked);
    make_older(locked, std::chrono::hours(1));

    write_file(path, "new");
    CHECK(read_file(path) == "new");
    for (const std::string& name : kept) CHECK_MESSAGE(fs::exists(name), name);
    for (const std::string& name : {left, large}) CHECK_MESSAGE(!fs::exists(name), name);
    CHECK(directory.entries() == kept.size() + 1);
  }

#ifndef _WIN32
  TEST_CASE("a full disk is an error, and leaves the target untouched and nothing behind") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(path, "old");
    rlimit before{};
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const auto signal_before = std::signal(SIGXFSZ, SIG_IGN);
    // Few bytes fail when the buffer is flushed, many while they are written.
    for (const std::size_t size : {10u, 4096u, 10000000u}) {
      const rlimit limit{9, before.rlim_max};
      setrlimit(RLIMIT_FSIZE, &limit);
      std::string message;
      try {
        write_file(path, std::string(size, 'x'));
      } catch (const Error& error) {
        message = error.what();
      }
      setrlimit(RLIMIT_FSIZE, &before);
      CAPTURE(size);
      CHECK_MESSAGE(message.find("File too large; allow larger files") != message.npos, message);
      CHECK(read_file(path) == "old");
      CHECK(directory.entries() == 1);
    }
    std::signal(SIGXFSZ, signal_before);
  }
#endif

  TEST_CASE("a place that cannot be written to is an error that names the file and the reason") {
    const TemporaryDirectory directory;
    const std::string file = directory.path("file");
    write_file(file, "");
    const auto refused = [](const std::string& path, const char* why) {
      CHECK_ERROR(write_file(path, ""), Contains(why));
    };
    refused(directory.path("none/file"), "none/file: cannot create");
    refused(directory.path("none/file"), "No such file or directory; is the path right?");
    refused(file + "/inside", kNotADirectory);
    refused(directory.path(), "Is a directory");
    refused("", "without a name");
    CHECK(directory.entries() == 1);
  }

  TEST_CASE("a device is never replaced by a file") {
    if (!fs::exists("/dev/null")) return;
    CHECK_ERROR(write_file("/dev/null", ""), Contains("neither a file nor missing"));
    const TemporaryDirectory directory;
    const std::string link = directory.path("link");
    fs::create_symlink("/dev/null", link);
    CHECK_THROWS_AS(write_file(link, ""), Error);
    CHECK(fs::is_character_file("/dev/null"));
  }

#ifndef _WIN32
  TEST_CASE("a file that a stream is open to is not replaced by way of the stream") {
    if (!fs::exists("/proc/self/fd")) return;
    const TemporaryDirectory directory;
    const std::string path = directory.path("file"), link = directory.path("link");
    write_file(path, "old");
    const FileHandle stream(std::fopen(path.c_str(), "ab"));
    const std::string number = std::to_string(fileno(stream.get()));
    fs::create_symlink("/proc/self/fd/" + number, link);
    for (const std::string& name : {link, "/dev/fd/" + number, "/proc/self/fd/" + number}) {
      CHECK_ERROR(write_file(name, "new"), Contains("name a file instead"));
    }
    CHECK(read_file(path) == "old");
    CHECK_NOTHROW(write_file("/proc/self/cwd/" + fs::relative(path).string(), "new"));
    CHECK(read_file(path) == "new");
  }

  TEST_CASE("a pipe under the name of a lock or of a temporary keeps nobody waiting") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file"), left = path + ".tmp-0123456789abcdef";
    REQUIRE(mkfifo(left.c_str(), 0600) == 0);
    make_older(left, std::chrono::hours(1));
    write_file(path, "new");
    CHECK_ERROR(lock_file(left), Contains("neither a file nor missing"));
    CHECK(fs::is_fifo(left));
  }
#endif

  TEST_CASE("a symbolic link stays one, and the file it names is replaced") {
    if (kWindows) return;  // where making one takes a right that few have
    const TemporaryDirectory directory;
    make_directories(directory.path("there"));
    const std::string link = directory.path("link"), file = directory.path("there/file");
    fs::create_symlink("there/file", directory.path("another"));
    fs::create_symlink("another", link);
    for (const char* contents : {"first", "new"}) {  // what a link names may be missing yet
      write_file(link, contents);
      CHECK(fs::is_symlink(link));
      CHECK(read_file(file) == contents);
      CHECK(directory.entries() == 3);
    }
    // Nor is one replaced that leads where nobody can look.
    const std::string loop = directory.path("loop");
    fs::create_symlink("loop", loop);
    CHECK_THROWS_AS(read_file(loop), Error);
    CHECK_ERROR(write_file(loop, "new"), Contains("loop, a link: "));
    CHECK(fs::is_symlink(loop));
  }

  TEST_CASE("what cannot be read is an error that names the file and the reason") {
    const TemporaryDirectory directory;
    const std::string file = directory.path("file");
    write_file(file, "");
    CHECK_ERROR(read_file(directory.path("missing")),
                Contains("missing: No such file or directory; is the path right?"));
    CHECK_ERROR(InputFile(directory.path()), Contains("Is a directory"));
    CHECK_ERROR(read_file(file + "/x"), Contains(kNotADirectory));
    CHECK_THROWS_AS(read_file(""), Error);
    // The first page of this process's memory is there to be opened, not to be read.
    if (fs::exists("/proc/self/mem")) {
      CHECK_ERROR(read_file("/proc/self/mem"), Contains("cannot read /proc"));
    }
  }

#ifndef _WIN32  // which replaces no file that is open
  TEST_CASE("a file that is replaced while it is read keeps its size") {
    const TemporaryDirectory directory;
    write_file(directory.path("file"), "old");
    const InputFile file(directory.path("file"));
    write_file(directory.path("file"), "replaced");
    CHECK(file.size() == 3);
  }

  TEST_CASE("a directory cannot be where a link leads to nothing") {
    const TemporaryDirectory directory;
    fs::create_symlink("not-mounted", directory.path("disk"));
    CHECK_ERROR(make_directories(directory.path("disk/run")),
                Contains("disk is a link to nothing; is a disk not mounted?"));
  }
#endif

  TEST_CASE("a file is locked once, until it is given up; one that cannot be made is named") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("lock");
    auto lock = lock_file(path);
    CHECK(lock != nullptr);
    CHECK(lock_file(path) == nullptr);
    lock = nullptr;
    CHECK(lock_file(path) != nullptr);
    CHECK_ERROR(lock_file(directory.path()), Contains("cannot write /"));
    CHECK_ERROR(lock_file(directory.path("none/lock")),
                Contains("none/lock: No such file or directory"));
  }

  TEST_CASE("a file that is replaced keeps its permissions, and a read-only one is not replaced") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("private");
    write_file(path, "old");
    const fs::perms usual = fs::status(path).permissions();
    fs::permissions(path, fs::perms::owner_read);
    CHECK_ERROR(write_file(path, "new"), Contains("private: it is read-only; change"));
    CHECK(read_file(path) == "old");
    fs::permissions(path, fs::perms::owner_read | fs::perms::owner_write);
    const fs::perms own = fs::status(path).permissions();
    write_file(path, "new");
    CHECK(read_file(path) == "new");
    CHECK(fs::status(path).permissions() == own);
    write_file(directory.path("other"), "");
    CHECK(fs::status(directory.path("other")).permissions() == usual);
#ifndef _WIN32
    if (chown(path.c_str(), 12345, 23456) != 0) return;  // only root may
    write_file(path, "newer");
    struct stat written {};
    REQUIRE(stat(path.c_str(), &written) == 0);
    CHECK(written.st_uid == 12345);
    CHECK(written.st_gid == 23456);
#endif
  }

  TEST_CASE("a check that fails when all is written leaves the target as it was") {
    const TemporaryDirectory directory;
    const std::string path = directory.path("file");
    write_file(path, "old");
    const auto moved = [&] {
      CHECK(std::distance(fs::directory_iterator(directory.path()), {}) == 2);
      fail("moved");
    };
    CHECK_ERROR(write_file(path, {"new"}, moved), Contains("moved"));
    CHECK(read_file(path) == "old");
    CHECK(std::distance(fs::directory_iterator(directory.path()), {}) == 1);
  }

  TEST_CASE(
      "directories are made with those above them, or are there; a file in their place is named") {
    const TemporaryDirectory directory;
    for (const char* path : {"a/b/c", "a/b/c", "a/b/d/", ""}) {
      make_directories(directory.path(path));
      CHECK(fs::is_directory(directory.path(path)));
    }
    write_file(directory.path("file"), "");
    for (const char* path : {"file", "file/", "file/a", "file/a/b"}) {
      CAPTURE(path);
      CHECK_ERROR(make_directories(directory.path(path)), Contains("file is a file"));
    }
    CHECK_ERROR(make_directories(""), Contains("without a name"));
    if (fs::exists("/proc/self")) CHECK_THROWS_AS(make_directories("/proc/self/new/a"), Error);
    CHECK(directory.entries() == 2);
  }
}
