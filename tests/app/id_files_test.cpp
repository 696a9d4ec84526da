#include "app/id_files.h"

#include <doctest/doctest.h>

#include "base/check.h"
#include "storage/atomic_file.h"
#include "support/small_models.h"
#include "support/temporary_directory.h"

using namespace attn;
using namespace attn::test;

namespace {

// A model of 11 source and 13 target tokens, and at most 8 positions.
Transformer model_with_limits() {
  TransformerConfig config = small_config();
  config.tie_embeddings = false;
  config.target_vocabulary = 13;
  config.positions = Positions::learned;
  return Transformer(config);
}

struct IdFiles {
  TemporaryDirectory directory;
  Batch read(const std::string& source, const std::string& target) const {
    write_file(directory.path("s"), source);
    write_file(directory.path("t"), target);
    return read_id_batch(directory.path("s"), directory.path("t"), model_with_limits());
  }
  std::string error(const std::string& source, const std::string& target) const {
    try {
      read(source, target);
    } catch (const Error& error) {
      const std::string message = error.what();
      const std::size_t folder = message.find(directory.path() + "/");
      return folder == 0 ? message.substr(directory.path().size() + 1) : message;
    }
    return "";
  }
};

}  // namespace

TEST_SUITE("text: ids") {
  TEST_CASE("line n of both files is a pair") {
    const Batch batch = IdFiles().read("7 4 2\n10\n", "1 12 2\n1 2");
    CHECK(batch.source.ids == std::vector<int>{7, 4, 2, 10});
    CHECK(batch.source.offsets == Offsets{0, 3, 4});
    CHECK(batch.target_input.ids == std::vector<int>{1, 12, 1});
    CHECK(batch.target_output == std::vector<int>{12, 2, 2});
  }

  TEST_CASE("sentences as long as the model can read are read") {
    const Batch batch = IdFiles().read("3 3 3 3 3 3 3 3\n", "1 3 3 3 3 3 3 3 2\n");
    CHECK(batch.source.tokens() == 8);
    CHECK(batch.target_input.tokens() == 8);
  }

  TEST_CASE("what is no id, or no sentence of the model's, is an error with file and line") {
    const IdFiles files;
    CHECK(files.error("3\n11\n", "1 2\n1 2\n") == "s, line 2: expected ids from 0 to 10, not '11'");
    CHECK(files.error("3\n", "1 13\n") == "t, line 1: expected ids from 0 to 12, not '13'");
    CHECK(files.error("-1\n", "1 2\n") == "s, line 1: expected ids from 0 to 10, not '-1'");
    CHECK(files.error("3x\n", "1 2\n") == "s, line 1: expected ids from 0 to 10, not '3x'");
    CHECK(files.error("3\n\n", "1 2\n1 2\n") == "s, line 2: 0 ids, expected at least 1");
    CHECK(files.error("3\n", "1\n") == "t, line 1: 1 id, expected at least 2");
    CHECK(files.error("", "1 2\n") == "s is empty, expected one sentence of ids per line");
    CHECK(files.error("3\n3\n", "1 2\n").substr(0, 14) == "s has 2 lines ");
    CHECK(files.error("3 3 3 3 3 3 3 3 3\n", "1 2\n") ==
          "s, line 1: 9 ids to read, but the model has learned 8 positions");
    CHECK(files.error("3\n", "1 3 3 3 3 3 3 3 3 2\n") ==
          "t, line 1: 9 ids to read, but the model has learned 8 positions");
  }
}
