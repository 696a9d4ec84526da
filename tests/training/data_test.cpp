#include "training/data.h"

#include <doctest/doctest.h>

#include "storage/atomic_file.h"
#include "support/temporary_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("training: data");

TEST_CASE("what is held out is neither trained on nor in the vocabulary") {
  const TemporaryDirectory directory;
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += text("one ", i / 10, ' ', i % 10, "\tun t", i, '\n');
  write_file(directory.path("pairs"), lines);
  TrainingSettings settings;
  settings.task = "text";
  settings.pairs = directory.path("pairs");
  settings.hold_out = 5;
  const TrainingData data = training_data(settings, kAnyLength, nullptr, {false, 1000});
  const std::size_t held_out = data.validation.sample.size();
  CHECK(held_out > 5);
  CHECK(held_out < 50);
  CHECK(data.tokenizer.size() == static_cast<int>(3 + 2 + 10 + 100 - held_out));
  for (const TextPair& pair : data.validation.sample) {
    CHECK(data.tokenizer.unknown_words(pair.target).size() == 1);
  }
}

TEST_CASE("a fingerprint tells other words and another order, but not how lines end") {
  const TemporaryDirectory directory;
  TrainingSettings settings;
  settings.task = "text";
  settings.source = directory.path("source");
  settings.target = directory.path("target");
  write_file(settings.target, "x\ny\n");
  const auto fingerprint = [&](const char* contents) {
    write_file(settings.source, contents);
    TrainingSettings fresh = settings;
    training_data(fresh, 10, nullptr, {false, 10});
    return fresh.source_fingerprint;
  };
  const std::string good = fingerprint("a b\nc\n");
  CHECK(fingerprint("a b\r\nc") == good);
  CHECK(fingerprint("a c\nb\n") != good);
  CHECK(fingerprint("c\na b\n") != good);

  // Known, it is checked, and the data say how large batches and sentences become.
  settings.source_fingerprint = good;
  CHECK_THROWS_WITH_AS(training_data(settings, 10, nullptr, {false, 10}),
                       doctest::Contains("is not the file that the run was trained with"), Error);
  fingerprint("a b\nc\n");
  const TrainingData data = training_data(settings, 10, nullptr, {false, 10});
  CHECK(data.longest_sentence == 3);  // a b <eos>
  CHECK(data.batch_tokens == 5);      // c <eos> as well
}

TEST_SUITE_END();

}  // namespace attn::test
