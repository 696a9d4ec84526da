#include "lab/language/language_data.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "storage/atomic_file.h"
#include "support/strings.h"
#include "support/temporary_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("training: language data");

namespace {

// A text of this many lines, each a word of its own.
std::string numbered_lines(int count) {
  std::string lines;
  for (int i = 0; i < count; ++i) lines += text("line", 1000 + i, '\n');
  return lines;
}

struct Text {
  const TemporaryDirectory directory;
  TrainingSettings settings;

  explicit Text(const std::string& contents) {
    write_file(directory.path("text"), contents);
    settings.task = "language";
    settings.text = directory.path("text");
    settings.context = 4;
    settings.batch_tokens = 8;
    settings.hold_out = 20;
  }
  TrainingData data(const TokenizerPlan& tokenizer = {{}, Units::words, 100000}) {
    return any_training_data(settings, kAnyLength, tokenizer);
  }
};

// The lines among the words that batches predict.
std::set<std::string> predicted(const TrainingData& data, const std::vector<Batch>& batches) {
  std::set<std::string> lines;
  for (const Batch& batch : batches) {
    for (const int id : batch.target_output) lines.insert(data.tokenizer.token(id));
  }
  lines.erase("<eos>");
  return lines;
}

std::vector<Batch> first_batches(const TrainingData& data, std::uint64_t count) {
  std::vector<Batch> batches;
  for (std::uint64_t i = 0; i < count; ++i) batches.push_back(data.batches(i));
  return batches;
}

}  // namespace

TEST_CASE("the end of each tenth of a text is held out: neither trained on nor in the vocabulary") {
  Text text(numbered_lines(1000));
  const TrainingData data = text.data();
  CHECK(data.tokenizer.size() == kSpecialTokens + 950);
  const std::set<std::string> trained = predicted(data, first_batches(data, 1000));
  CHECK(trained.size() == 950);
  for (int i = 0; i < 1000; ++i) {
    // A line takes 9 bytes, so a tenth of the text has 100 lines, of which the last 5 are held out.
    CHECK(trained.count(attn::text("line", 1000 + i)) == (i % 100 < 95 ? 1 : 0));
  }
  // With a vocabulary that has all of them: they are what is validated with, each line once.
  const Tokenizer all = Tokenizer([] {
    std::vector<std::string> words;
    for (int i = 0; i < 1000; ++i) words.push_back(attn::text("line", 1000 + i));
    return words;
  }());
  const TrainingData known = any_training_data(text.settings, kAnyLength, {all});
  const std::set<std::string> held_out = predicted(known, known.validation.batches);
  CHECK(held_out.size() == 50);
  for (const std::string& line : held_out) CHECK(trained.count(line) == 0);
  CHECK(known.report.trained == 1900);
  CHECK(known.report.validated == 100);
  CHECK(data.batch_tokens == 8);
}

TEST_CASE("of a text that is one long line, a part is held out as well, cut at spaces") {
  std::string line;
  while (line.size() < 2'200'000) line += "word" + std::to_string(line.size()) + ' ';
  Text text(line);
  text.settings.context = 64;
  text.settings.batch_tokens = 1024;
  const TrainingData data = text.data({{}, Units::words, 1'000'000});
  const Index words = std::count(line.begin(), line.end(), ' ');
  const double held_out = to_double(data.report.validated) / to_double(words);
  CHECK(held_out > 0.03);
  CHECK(held_out < 0.07);
  // No word was cut: all are there once, and an end for each of some 200 parts.
  CHECK(data.tokenizer.size() - kSpecialTokens + data.report.validated >= words);
  CHECK(data.report.trained + data.report.validated <= words + 220);
  CHECK(data.report.unknown == 0);
  // Without spaces it is cut between characters.
  std::string letters;
  while (letters.size() < 300'000) letters += "é";
  Text closed(letters);
  const TrainingData cut = closed.data({{}, Units::characters, 100});
  CHECK(cut.tokenizer.size() == kSpecialTokens + 1);
  CHECK(cut.report.validated > 3000);
}

TEST_CASE("a file to validate with leaves all of the text to be learned from") {
  Text text(numbered_lines(100));
  write_file(text.directory.path("valid"), "line1003\nno such line\n");
  text.settings.valid_text = text.directory.path("valid");
  const TrainingData data = text.data();
  CHECK(data.tokenizer.size() == kSpecialTokens + 100);
  CHECK(predicted(data, data.validation.batches) == std::set<std::string>{"<unk>", "line1003"});
  CHECK(data.report.validated == 6);
}

TEST_CASE("a text that is too short for what is asked is an error") {
  Text text("one two\n");
  const auto error = [&](const std::string& message) {
    CHECK_ERROR(text.data(), Contains(message.c_str()));
  };
  error(text.settings.text + ": 3 tokens to learn from, fewer than a window of 4; give a smaller");
  text.settings.context = 3;
  CHECK(text.data().report.validated == 0);
  text.settings.patience = 1;
  error("`patience` requires text to validate with; give a smaller `hold_out`, or `valid_text`");
  write_file(text.settings.text, "");
  error(text.settings.text + " is empty");
}

TEST_CASE("a text that has changed is refused, and the setting that names it is said") {
  Text text(numbered_lines(100));
  write_file(text.directory.path("valid"), "line1003\n");
  text.settings.valid_text = text.directory.path("valid");
  text.data();
  CHECK(text.settings.fingerprint != text.settings.valid_fingerprint);
  text.data();
  write_file(text.settings.valid_text, "line1004\n");
  CHECK_ERROR(text.data(), Contains("/valid now; put those back"));
  write_file(text.settings.text, numbered_lines(101));
  CHECK_ERROR(text.data(), Contains("other lines than are in "));
}

TEST_CASE("unknown characters are counted for the user") {
  Text text("aaaaaaaaab\n");
  text.settings.hold_out = 0;
  const DataReport report = text.data({{}, Units::characters, 4}).report;
  CHECK(report.unknown == 1);  // b
  CHECK(report.tokens == 11);  // the end of the line is one
  CHECK(text.data({{}, Units::characters, 5}).tokenizer.size() == 5);
}

TEST_SUITE_END();

}  // namespace attn::test
