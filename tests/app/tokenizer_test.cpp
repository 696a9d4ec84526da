#include <doctest/doctest.h>

#include <filesystem>
#include <sstream>

#include "support/program.h"

namespace attn::test {

TEST_SUITE_BEGIN("tokenizer");

TEST_CASE("train, encode and decode give back the very lines, known or not") {
  const TemporaryDirectory directory;
  const std::string file = directory.path("tokenizer.txt");
  const std::string fr =
      directory.file("fr", "Jane visite l'Afrique en septembre.\nJane visite Jane.\n");
  const std::string en =
      directory.file("en", "Jane visits Africa in September.\nJane visits Jane.\n");
  const Outcome trained = worked(run("tokenizer train --source " + fr + " --target " + en +
                                     " --vocabulary 400 --out " + file));
  CHECK(trained.out.empty());
  CHECK(contains(trained.err, "4 lines, "));

  const std::string lines =
      "Jane visite l'Afrique.\n\n  ταβέρνα \t 東京 _ \\ \\s 🙂\nseptembre en Afrique";
  const Outcome encoded = worked(run("tokenizer encode --tokenizer " + file, lines));
  CHECK(contains(encoded.out, "Jane_ visite_ l_ '_ Afri"));
  const Outcome decoded = run("tokenizer decode --tokenizer " + file, encoded.out);
  CHECK(decoded.out == lines + "\n");

  // What is around the lines is not kept, and the help says so.
  const Outcome windows = run("tokenizer encode --tokenizer " + file, "\xEF\xBB\xBFJane\r\nb\r");
  CHECK(run("tokenizer decode --tokenizer " + file, windows.out).out == "Jane\nb\n");
  // A second mark is text, and its token may be the first of what decode reads.
  const std::string marks = directory.file("marks", "a\n\uFEFFa\n"),
                    known = directory.path("known");
  worked(run("tokenizer train --vocabulary 300 --source " + marks + " --out " + known));
  const Outcome marked = run("tokenizer encode --tokenizer " + known, "\uFEFF\uFEFFa\n");
  CHECK(contains(marked.out, "\uFEFF"));
  CHECK(run("tokenizer decode --tokenizer " + known, marked.out).out == "\uFEFFa\n");
  std::istringstream words(run("tokenizer --help").out);
  std::string help;
  for (std::string word; words >> word;) help += word + ' ';
  CHECK(contains(help, "a newline after it, without the carriage return"));
  CHECK(contains(help, "without a byte-order mark"));
}

TEST_CASE("what encode makes of the longest line, decode reads") {
  // No tokens are longer than those of pieces that are one byte each, which is unknown.
  const TemporaryDirectory directory;
  const std::string file = directory.path("tokenizer.txt");
  worked(run("tokenizer train --source " + directory.file("source", "x\n") + " --out " + file));
  std::string line;
  while (line.size() < 1 << 20) line += "a,";
  const std::string tokenizer = " --tokenizer " + file;
  const Outcome encoded = worked(run("tokenizer encode" + tokenizer, line + "\n"));
  CHECK(encoded.out.size() == 7 * line.size());  // a newline instead of the last space
  const Outcome decoded = worked(run("tokenizer decode" + tokenizer, encoded.out));
  CHECK((decoded.out == line + "\n"));
}

TEST_CASE("what tokenizer cannot do is said") {
  const TemporaryDirectory directory;
  const std::string words =
      directory.file("words", "attention-tokenizer 1 words\n3\n<unk>\n<bos>\n<eos>\n");
  const auto refused = [](const std::string& arguments, int status, const std::string& message) {
    const Outcome outcome = run("tokenizer " + arguments, "\na b\n");
    CHECK(outcome.status == status);
    CHECK_MESSAGE(contains(outcome.err, message), outcome.err.substr(0, 300));
  };
  refused("", 2, "tokenizer what? train, encode or decode");
  refused("learn", 2, "there is no tokenizer command 'learn', only train, encode and decode");
  refused("trian", 2, "only train, encode and decode; did you mean train?");
  refused("train --source x", 2, "tokenizer train needs --out");
  refused("train --source x --out y --tokenizer z", 2,
          "--tokenizer is for tokenizer encode and decode, not train");
  for (const char* option : {"source", "target", "vocabulary", "out"}) {
    refused("encode --tokenizer " + words + " --" + option + " 300", 2,
            "--" + std::string(option) + " is for tokenizer train, not encode");
  }
  const std::string blank = directory.file("blank", "\n \n");
  refused("train --source " + blank + " --out " + directory.path("none"), 1,
          "there are no words to learn a tokenizer from in " + blank + "\n");
  refused("train --source " + blank + " --target " + blank + " --out y", 1,
          blank + " and " + blank + "\n");
  CHECK(!std::filesystem::exists(directory.path("none")));
  refused("encode", 2, "tokenizer encode needs --tokenizer");
  refused("decode --tokenizer " + words, 1,
          "standard input, line 2: 'a' is not a token of this vocabulary");
  refused("train --source x --out y --vocabulary 10", 2, "--vocabulary");
}

TEST_SUITE_END();

}  // namespace attn::test
