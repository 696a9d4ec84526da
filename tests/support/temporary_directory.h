// A new, empty directory for one test; it is removed, with what is in it, when the test is over.
//
//   const TemporaryDirectory directory;
//   const std::string source = directory.file("source", "a b\n");
#pragma once

#include <cstddef>
#include <filesystem>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <system_error>

#include "base/check.h"
#include "storage/atomic_file.h"

namespace attn::test {

class TemporaryDirectory {
 public:
  TemporaryDirectory() : path_(make()) {}
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  std::string path(const std::string& name) const { return path_ + "/" + name; }

  // Writes a file in it, and returns its path.
  std::string file(const std::string& name, std::string_view contents) const {
    write_file(path(name), contents);
    return path(name);
  }

  // How many files and directories are in it.
  std::size_t entries() const {
    const auto begin = std::filesystem::directory_iterator(path_);
    return static_cast<std::size_t>(std::distance(begin, {}));
  }

 private:
  // create_directory says whether it made one, so no two tests or processes get the same.
  static std::string make() {
    const std::filesystem::path parent = std::filesystem::temp_directory_path();
    for (int number = 0; number < 100000; ++number) {
      const std::filesystem::path path =
          parent / text("attention-test-", std::random_device()(), "-", number);
      std::error_code ignored;
      if (std::filesystem::create_directory(path, ignored)) return path.string();
    }
    fail("cannot make a temporary directory in ", parent.string());
  }

  std::string path_;
};

}  // namespace attn::test
