#include "tasks/task.h"

#include <cstdint>
#include <string>

#include <doctest/doctest.h>
#include "base/check.h"
#include "storage/atomic_file.h"
#include "support/small_models.h"
#include "text/batch.h"

using namespace attn;
using attn::test::same;

namespace {

// A file in data/ that the program makes itself.
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

constexpr std::uint64_t kNextBatch = std::uint64_t{1} << 32;

}  // namespace

TEST_SUITE("tasks: training batches") {
  TEST_CASE("a task that does not exist is an error that names those that do") {
    CHECK_THROWS_WITH_AS(find_task("sort"), "there is no task \"sort\"; there are: copy, reverse",
                         Error);
    CHECK_THROWS_AS(find_task(""), Error);
  }

  TEST_CASE("batch i has the examples from i 2^32 on, as many as the budget allows") {
    const Task task = find_task("reverse");
    for (const std::uint64_t index : {std::uint64_t{0}, std::uint64_t{5}, kNextBatch - 1}) {
      for (const Index budget : {1, 25, 400}) {
        // The target is as long as the source, so both sides have words + 1 tokens a sentence.
        Batch expected;
        for (std::uint64_t example = index * kNextBatch;; ++example) {
          const TextPair pair = task.training_example(8, example);
          const auto tokens = static_cast<Index>(pair.source.size() + 1) / 2 + 1;
          if (example > index * kNextBatch && expected.source.tokens() + tokens > budget) break;
          expected.append(encode_source(task.tokenizer, pair.source),
                          encode_target(task.tokenizer, pair.target));
        }
        const Batch batch = task_batch(task, 8, index, budget);
        CHECK(same(batch, expected));
        const bool within = batch.source.tokens() <= budget || batch.source.sentences() == 1;
        CHECK(within);
      }
    }
  }

  TEST_CASE("a budget or an index out of range is an error") {
    const Task task = find_task("copy");
    for (const Index budget : {Index{0}, Index{-1}}) {
      CHECK_THROWS_AS(task_batch(task, 1, 0, budget), Error);
    }
    const std::int64_t too_many = std::int64_t{1} << 32;  // where an Index can be as large
    if (too_many < PTRDIFF_MAX) {
      CHECK_THROWS_AS(task_batch(task, 1, 0, static_cast<Index>(too_many)), Error);
    }
    CHECK_THROWS_AS(task_batch(task, 1, kNextBatch, 100), Error);
  }
}

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
