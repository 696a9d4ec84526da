// The files in data/ that attention-lab makes itself.
#include <string>

#include <doctest/doctest.h>
#include "lab/phrasebook/phrasebook.h"
#include "lab/tasks.h"
#include "storage/atomic_file.h"
#include "text/corpus.h"

using namespace attn;

namespace {

struct File {
  std::string path;
  std::string contents;
};

// What the test set of the phrasebook says with words that have more than one meaning.
std::vector<TextPair> ambiguous_test_set() {
  std::vector<TextPair> pairs;
  for (const auto& sentence : phrasebook::held_out_sentences(Split::test)) {
    if (!sentence.meanings.empty()) pairs.push_back({sentence.french, sentence.english});
  }
  return pairs;
}

std::vector<File> files_of(const std::string& name) {
  const Task task = find_any_task(name);
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
  if (name == "phrasebook") {
    add("validation", task.validation_set());
    add("meanings", ambiguous_test_set());
  }
  return files;
}

}  // namespace

TEST_SUITE("tasks: data") {
  TEST_CASE("the sentences in data/ are those the program makes, byte for byte") {
    for (const char* name : {"phrasebook", "bracketing"}) {
      for (const File& file : files_of(name)) {
        CAPTURE(file.path);
        const bool same = read_file(file.path) == file.contents;
        CHECK(same);
      }
    }
  }

  TEST_CASE("the sentences in data/ are read as parallel text") {
    for (const std::string name : {"phrasebook", "bracketing"}) {
      const std::string directory = std::string(ATTENTION_SOURCE_DIR) + "/data/" + name;
      const auto pairs = read_parallel_text(directory + "/test.source", directory + "/test.target");
      const Corpus corpus = encode_corpus(pairs, find_any_task(name).tokenizer);
      CHECK(corpus.pairs.size() == 1000);
      CHECK(left_out(corpus).empty());
    }
  }

  // attention_lab_tests --no-skip -tc="write the sentences in data/ anew"
  TEST_CASE("write the sentences in data/ anew" * doctest::skip()) {
    for (const char* name : {"phrasebook", "bracketing"}) {
      for (const File& file : files_of(name)) {
        make_directories(file.path.substr(0, file.path.rfind('/')));
        write_file(file.path, file.contents);
      }
    }
  }
}
