#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "app/terminal/unknown_words.h"
#include "decoding/beam_search.h"
#include "decoding/greedy.h"
#include "decoding/translate.h"
#include "storage/atomic_file.h"
#include "support/program.h"
#include "tasks/task.h"
#include "text/lines.h"
#include "training/run_directory.h"

namespace attn::test {

TEST_SUITE_BEGIN("translate");

namespace {
Outcome translate(const std::string& input, const std::string& options = "") {
  return run("translate --model " + small_run() + " " + options, input);
}
}  // namespace

TEST_CASE("each line is answered as beam search of it alone would, whatever is around it") {
  const TrainedModel trained = load_trained_model(small_run());
  const Tokenizer& vocabulary = trained.tokenizer;
  const std::vector<TextPair> pairs = find_task("copy").test_set();
  std::string input, expected, greedy;
  for (std::size_t i = 0; i < 40; ++i) {
    const PackedIds source = packed(encode_source(vocabulary, pairs[i].source));
    input += pairs[i].source + '\n';
    expected += vocabulary.decode(beam_search(*trained.model, source)[0][0].tokens) + '\n';
    greedy += vocabulary.decode(decode_greedily(*trained.model, source)[0]) + '\n';
  }
  CHECK(translate(input).out == expected);
  for (const char* threads : {"--threads 1", "--threads 3"}) {
    CHECK(translate(input, std::string("--beam 4 --alpha 0.6 --max-extra 50 ") + threads).out ==
          expected);
  }
  CHECK(translate(input, "--beam 1").out == greedy);
  CHECK(greedy != expected);
  // Hundreds of lines, more than a batch holds; a blank one stays between its neighbours.
  std::string many, many_expected;
  for (int i = 0; i < 20; ++i) many += input + '\n', many_expected += expected + '\n';
  CHECK(translate(many).out == many_expected);
  // A slow pipe, which brings a line and a half at first, and the rest when the line is answered.
  const std::size_t part = input.find('\n') + 4;
  const TemporaryDirectory directory;
  const Outcome slow = run_script("answers=" + directory.path("answers") +
                                      "; touch $answers; (head -c " + std::to_string(part) + R"(
          until test -s $answers; do sleep 0.01; done; cat
          ) | "$attention" translate --model )" +
                                      small_run() + " > $answers; cat $answers",
                                  input);
  CHECK(slow.out == expected);
}

TEST_CASE("--nbest writes the best translations of each line with its number and their scores") {
  const TrainedModel trained = load_trained_model(small_run());
  const Tokenizer& vocabulary = trained.tokenizer;
  const std::string line = find_task("copy").test_set()[0].source;
  BeamOptions options;
  options.beam = 5;
  options.alpha = 1.5;
  options.n_best = 3;
  options.max_extra = 2;
  std::string third;
  const auto translations = attn::translate(*trained.model, vocabulary, {line}, options);
  for (const TranslatedLine& found : translations[0]) {
    third += text("3\t", std::to_string(found.score), '\t', found.line, '\n');
  }
  CHECK(std::count(third.begin(), third.end(), '\n') == 3);
  const std::string flags = "--beam 5 --alpha 1.5 --max-extra 2 --nbest 3";
  const Outcome outcome = translate("a\n\n" + line + "\n", flags);
  CHECK(outcome.out.substr(0, 2) == "1\t");
  const std::string end = "\n2\t0.000000\t\n" + third;
  REQUIRE(outcome.out.size() > end.size());
  CHECK(outcome.out.substr(outcome.out.size() - end.size()) == end);
  CHECK(std::count(outcome.out.begin(), outcome.out.end(), '\n') == 7);
  // Numbers go on from one batch to the next.
  std::string many;
  for (int i = 0; i < 3000; ++i) many += "a\n";
  CHECK(contains(translate(many, "--nbest 1 --max-extra 1").out, "\n3000\t-"));
}

TEST_CASE("options of the search that cannot be are usage errors") {
  const auto refused = [](const std::string& options, const std::string& message) {
    check_fails(translate("a\n", options), message, 2);
  };
  refused("--beam 0", "--beam must be a whole number from 1 to 1000, not '0'");
  refused("--alpha -1", "--alpha must be a number from 0 to 10, not '-1'");
  refused("--alpha nan", "--alpha must be a number from 0 to 10, not 'nan'");
  refused("--alpha 0.6x", "--alpha must be a number from 0 to 10, not '0.6x'");
  refused("--nbest 5", "--nbest 5 needs a --beam of at least 5, not 4");
}

TEST_CASE("one line for each line: empty ones, blank ones, CRLF, no newline at the end, a BOM") {
  const std::string a = translate("a\n").out, bc = translate("b c\n").out;
  CHECK(translate("").out.empty());
  CHECK(translate("\n").out == "\n");
  CHECK(translate("\n \t \n\r\n").out == "\n\n\n");
  CHECK(translate("a\n\nb c\n").out == a + "\n" + bc);
  CHECK(translate("a\r\nb c\r\n").out == a + bc);
  CHECK(translate("a\nb c").out == a + bc);
  CHECK(translate("\xEF\xBB\xBF"
                  "a\n")
            .out == a);
  CHECK(translate("\xEF\xBB\xBF").out.empty());  // as a file of this has no line
  CHECK(translate("\xEF\xBB\xBF\n").out == "\n");
  CHECK(translate("  b \t c  \n").out == bc);
}

TEST_CASE("unknown words are warned of once each, quoted, and only a few of them") {
  const Outcome outcome = worked(translate("a Ä\nÄ b\n"));
  CHECK(outcome.err ==
        "attention: warning: line 1: the model does not know the word \"Ä\", and reads <unk>\n");
  CHECK(contains(translate("a\n\x1b[2J\n").err,
                 "line 2: the model does not know the word \"\\u001b"));
  // Words that would look like known ones: with a zero-width space, or a space that does not break.
  const Outcome unseen = translate("a\u200B b\u00A0c d\U000E0041\n");
  CHECK(contains(unseen.err, "does not know the word \"a\\u200b\", and"));
  CHECK(contains(unseen.err, "does not know the word \"b\\u00a0c\", and"));
  CHECK(contains(unseen.err, "does not know the word \"d\\U000e0041\", and"));
  const Outcome many = translate("1 2 3 4 5 6 7 8 9\n");
  CHECK(std::count(many.err.begin(), many.err.end(), '\n') == 6);
  CHECK(contains(many.err, "there are more unknown words; no more is said about them\n"));
  // A special token is no word.
  CHECK(contains(translate("a <eos> b\n").err, "\"<eos>\""));
}

TEST_CASE("a line that cannot be translated is answered by an empty one, with a warning") {
  const std::string before = translate("a\nb c\n").out, after = translate("d\n").out;
  std::string long_sentence;
  for (int i = 0; i < 5000; ++i) long_sentence += "a ";
  struct Bad {
    std::string line, message;
  };
  for (const Bad& bad :
       {Bad{"x \xFF", "line 3, byte 3: not UTF-8 (0xFF)"},
        Bad{"\xC3", "line 3, byte 1: not UTF-8 (0xC3)"},
        Bad{std::string("a\0b", 3), "line 3, byte 2: a NUL byte"},
        Bad{std::string(3'000'000, 'a'), "line 3: longer than 1,048,576 bytes"},
        Bad{long_sentence, "line 3: 5,000 tokens; a sentence has at most 4,095 here"}}) {
    CAPTURE(bad.message);
    const Outcome outcome = translate("a\nb c\n" + bad.line + "\nd\n");
    CHECK(outcome.status == 1);
    CHECK(outcome.out == before + "\n" + after);
    CHECK_MESSAGE(contains(outcome.err, "attention: warning: standard input, " + bad.message),
                  outcome.err.substr(0, 300));
    CHECK(contains(outcome.err, "; left blank\n"));
    CHECK(contains(outcome.err, "error: 1 of 4 lines could not be translated; left blank\n"));
  }
  // The columns of --nbest are those of an empty line.
  const Outcome best = translate("\xFF\na\n\xFF", "--nbest 1");
  CHECK(best.out.substr(0, 14) == "1\t0.000000\t\n2\t");
  CHECK(contains(best.out, "\n3\t0.000000\t\n"));
  CHECK(contains(best.err, "error: 2 of 3 lines could not be translated"));
}

TEST_CASE("an input that cannot be read ends the translation") {
  const Outcome directory = translate("", "< /");
  CHECK(directory.status == 1);
  CHECK(directory.err == "attention: error: cannot read standard input: Is a directory\n");
}

TEST_CASE(
    "outputs are at most --max-extra words longer than inputs, and within learned positions") {
  const auto words_of = [](const std::string& line) {
    return line == "\n" ? 0 : 1 + std::count(line.begin(), line.end(), ' ');
  };
  // A model that has learned nothing goes on until it is stopped.
  const TemporaryDirectory directory;
  worked(run("train copy --positions learned --max-positions 22 --steps 0 --quiet --out " +
             directory.path("run") + kTiny));
  const std::string model = "translate --model " + directory.path("run");
  CHECK(words_of(run(model + " --max-extra 0", "a b c\n").out) <= 3);
  CHECK(words_of(run(model + " --max-extra 4", "a b c\n").out) <= 7);
  const Outcome far = worked(run(model + " --max-extra 1000", "a b c\n"));
  CHECK(words_of(far.out) <= 22);

  worked(run(model, "a a a a a a a a a a a a a a a a a a a a a\n"));
  const Outcome longer = run(model, "a\na a a a a a a a a a a a a a a a a a a a a a\n");
  CHECK(longer.status == 1);
  CHECK(std::count(longer.out.begin(), longer.out.end(), '\n') == 2);
  CHECK(contains(longer.err,
                 "standard input, line 2: 22 tokens; with the positions that this "
                 "model has learned a sentence has at most 21"));
}

TEST_CASE("--nbest: texts that differ in a tab and a space alone are one text") {
  const TemporaryDirectory directory;
  const std::string text = directory.path("text"), made = directory.path("run");
  write_file(text, "a\tb c\n");
  worked(run("train text --tokenizer char --hold-out 0 --steps 0 --source " + text + " --target " +
             text + kTiny + " --out " + made));
  const Outcome best =
      worked(run("translate --beam 60 --nbest 60 --max-extra 1 --model " + made, "a\n"));
  std::vector<std::string> lines = split(best.out, '\n');
  lines.pop_back();  // after the last newline
  std::set<std::string> texts;
  for (const std::string& line : lines) texts.insert(line.substr(line.rfind('\t') + 1));
  CHECK(lines.size() > 20);
  CHECK(texts.size() == lines.size());
}

TEST_CASE("a model of letters is asked for letters, once") {
  const Outcome outcome = worked(translate("h e l l o\nhello\nbye\n"));
  const std::string unknown = "the model does not know the word \"";
  CHECK(outcome.err ==
        "attention: warning: line 2: " + unknown +
            "hello\", and reads <unk>\n"
            "attention: hint: this model knows single letters only; put spaces between them: "
            "\"h e l l o\"\n"
            "attention: warning: line 3: " +
            unknown + "bye\", and reads <unk>\n");
  CHECK(!contains(translate("H é\n").err, "hint"));  // letters, but none that it knows
  CHECK(contains(translate("été\n").err, ": \"é t é\"\n"));
  const Outcome endless = translate(std::string(500, 'a') + "\n");
  CHECK(contains(endless.err, " a a …\"\n"));
  CHECK(endless.err.size() < 500);
  CHECK(contains(run("trace --model " + small_run() + " hello").err, "\"h e l l o\"\n"));
}

TEST_CASE("letters only: every word is one character, however many bytes that is") {
  CHECK(knows_letters_only(Tokenizer({"a", "é", "字"})));
  CHECK(!knows_letters_only(Tokenizer({"a", "bc"})));
  CHECK(!knows_letters_only(Tokenizer({"l'Afrique"})));
  CHECK(!knows_letters_only(Tokenizer(Units::characters)));
  CHECK(!knows_letters_only(Tokenizer()));
}

TEST_CASE("a checkpoint translates, and so does a file in the current directory") {
  const std::string all = run("translate --model " + small_run(), "a b\n").out;
  CHECK(run("translate --model " + small_run() + "/model.safetensors", "a b\n").out == all);
  CHECK(run_script("cd " + small_run() + " && \"$attention\" translate --model model.safetensors",
                   "a b\n")
            .out == all);
}

TEST_SUITE_END();

}  // namespace attn::test
