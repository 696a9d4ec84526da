#include "training/data.h"

#include <doctest/doctest.h>

#include <map>

#include "support/temporary_directory.h"
#include "text/lines.h"

namespace attn::test {

TEST_SUITE_BEGIN("training: data");

namespace {

// The data of a file with these pairs, some of them held out.
TrainingData data_of(const std::string& pairs) {
  const TemporaryDirectory directory;
  TrainingSettings settings;
  settings.task = "text";
  settings.pairs = directory.file("pairs", pairs);
  settings.hold_out = 5;
  return training_data(settings, kAnyLength, {{}, Units::words, 1000});
}

}  // namespace

TEST_CASE("what is held out is neither trained on nor in the vocabulary") {
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += text("one ", i / 10, ' ', i % 10, "\tun t", i, '\n');
  const TrainingData data = data_of(lines);
  const std::size_t held_out = data.validation.sample.size();
  CHECK(held_out > 5);
  CHECK(held_out < 50);
  CHECK(data.tokenizer.size() == static_cast<int>(3 + 2 + 10 + 100 - held_out));
  for (const TextPair& pair : data.validation.sample) {
    CHECK(data.tokenizer.unknown_words(pair.target).size() == 1);
  }
}

TEST_CASE("all pairs of a source are on one side, however it is spaced") {
  std::string lines;
  for (int i = 0; i < 60; ++i) {
    const std::string number = text("n", i);
    lines += text("one ", number, "\tun ", number, "\n one  ", number, " \tune ", number, '\n');
  }
  const TrainingData data = data_of(lines);
  std::map<std::string, int> variants;
  for (const TextPair& pair : data.validation.sample) {
    ++variants[std::string(words(pair.source)[1])];
  }
  CHECK(variants.size() > 3);
  for (const auto& variant : variants) {
    CAPTURE(variant.first);
    CHECK(variant.second == 2);
    CHECK(data.tokenizer.unknown_words(variant.first).size() == 1);
  }
}

TEST_CASE("what is trained on, validated with, left out and unknown is counted") {
  const TemporaryDirectory directory;
  TrainingSettings settings;
  settings.task = "text";
  // The last is left out, as its target is empty: the model does not learn it.
  settings.source = directory.file("source", "a b\nc\nd\nd d\n");
  settings.target = directory.file("target", "x y\nz\nx\n\n");
  settings.valid_source = directory.file("valid_source", "b\n\n a  b\n");
  settings.valid_target = directory.file("valid_target", "y\nx\nz\n");
  const DataReport report = training_data(settings, 8, {{}, Units::words, 9}).report;
  CHECK(report.trained == 3);
  CHECK(report.validated == 2);
  CHECK(left_out_text(report.left_out) == "1 with an empty side");
  CHECK(left_out_text(report.left_out_of_validated) == "1 with an empty side");
  // Nine tokens are three special ones, d, x, a, b, c and y; so z is unknown, one word of 8.
  CHECK(report.unknown == 1);
  CHECK(report.tokens == 8);

  // A pair that fits into no batch is left out on both sides.
  settings.batch_tokens = 2;  // a word and <eos>
  const TrainingData data = training_data(settings, 8, {{}, Units::words, 9});
  CHECK(left_out_text(data.report.left_out) == "1 with an empty side, 1 too long");
  CHECK(left_out_text(data.report.left_out_of_validated) == "1 with an empty side, 1 too long");
  CHECK(data.longest_sentence == 2);
}

TEST_CASE("a fingerprint tells other words and another order, but not how lines end") {
  const TemporaryDirectory directory;
  TrainingSettings settings;
  settings.task = "text";
  settings.target = directory.file("target", "x\ny\n");
  const auto fingerprint = [&](const char* contents) {
    settings.source = directory.file("source", contents);
    TrainingSettings fresh = settings;
    training_data(fresh, 10, {{}, Units::words, 10});
    return fresh.fingerprint;
  };
  const std::string good = fingerprint("a b\nc\n");
  CHECK(fingerprint("a b\r\nc") == good);
  CHECK(fingerprint("a c\nb\n") != good);
  CHECK(fingerprint("c\na b\n") != good);

  // Known, it is checked, and the data say how large batches and sentences become.
  settings.fingerprint = good;
  CHECK_THROWS_WITH_AS(training_data(settings, 10, {{}, Units::words, 10}),
                       doctest::Contains("the run was trained with other lines than"), Error);
  fingerprint("a b\nc\n");
  const TrainingData data = training_data(settings, 10, {{}, Units::words, 10});
  CHECK(data.longest_sentence == 3);  // a b <eos>
  CHECK(data.batch_tokens == 5);      // c <eos> as well
}

TEST_SUITE_END();

}  // namespace attn::test
