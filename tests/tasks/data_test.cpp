// The files in data/ that the program makes itself.
#include <string>

#include <doctest/doctest.h>
#include "storage/atomic_file.h"
#include "tasks/task.h"

using namespace attn;

namespace {

struct File {
  std::string path;
  std::string contents;
};

std::vector<File> files_of(const std::string& name) {
  const Task task = find_task(name);
  const std::string directory = std::string(ATTENTION_SOURCE_DIR) + "/data/" + name + "/";
  std::vector<File> files;
  const auto add = [&](const std::string& set, const std::vector<TextPair>& pairs) {
    File source{directory + set + ".source", ""}, target{directory + set + ".target", ""};
    for (const TextPair& pair : pairs) {
      source.contents += pair.source + '\n';
      target.contents += pair.target + '\n';
    }
    files.push_back(source);
    files.push_back(target);
  };
  add("test", task.test_set());
  add("longer", task.longer_test_set());
  return files;
}

}  // namespace

TEST_SUITE("tasks: data") {
  TEST_CASE("the test sets in data/ are those the program makes, byte for byte") {
    for (const char* name : {"copy", "reverse"}) {
      for (const File& file : files_of(name)) {
        CAPTURE(file.path);
        const bool same = read_file(file.path) == file.contents;
        CHECK(same);
      }
    }
  }

  // attention_tests --no-skip -tc="write the test sets in data/ anew"
  TEST_CASE("write the test sets in data/ anew" * doctest::skip()) {
    for (const char* name : {"copy", "reverse"}) {
      for (const File& file : files_of(name)) {
        make_directories(file.path.substr(0, file.path.rfind('/')));
        write_file(file.path, file.contents);
      }
    }
  }
}
