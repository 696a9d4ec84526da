// attention tokenizer: learns byte pairs, and writes lines as tokens and back.
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "base/check.h"
#include "storage/atomic_file.h"
#include "text/lines.h"
#include "text/tokenizer.h"
#include "training/defaults.h"

namespace attn::app {

namespace {

int train(const Arguments& arguments) {
  arguments.check_output("out", {"source", "target"});
  const Index size = arguments.number_or("vocabulary", kDefaultVocabulary,
                                         BytePairs::kFirstCharacter + 1, 1000000);
  PieceCounts counts;
  std::int64_t lines = 0;
  bool blank = true;  // a piece may be white space alone
  for (const char* side : {"source", "target"}) {
    if (!arguments.has(side)) continue;
    for (const std::string& line : read_lines(arguments.value(side))) {
      count_pieces(line, counts);
      blank = blank && words(line).empty();
      ++lines;
    }
  }
  ATTN_CHECK(!blank, "there are no words to learn a tokenizer from in ", arguments.value("source"),
             arguments.has("target") ? " and " + arguments.value("target") : "");
  const BytePairs tokenizer = BytePairs::learn(counts, size);
  write_file(arguments.value("out"), tokenizer.text());
  say(text(counted(lines, "line"), ", ",
           counted(static_cast<Index>(counts.size()), "different piece"), ": ",
           counted(tokenizer.size(), "token"), ", ",
           counted(static_cast<Index>(tokenizer.merges().size()), "merge")));
  return 0;
}

int encode(const Tokenizer& tokenizer) {
  LineReader reader;
  while (const std::optional<std::string> line = reader.next()) {
    std::string tokens;
    for (const int id : tokenizer.encode(*line)) {
      tokens += (tokens.empty() ? "" : " ") + tokenizer.token(id);
    }
    put(tokens + '\n');
    if (!reader.ready()) flush_output();
  }
  return 0;
}

int decode(const Tokenizer& tokenizer) {
  std::unordered_map<std::string, int> ids;
  for (int id = 0; id < tokenizer.size(); ++id) ids.emplace(tokenizer.token(id), id);
  LineReader reader;
  while (const std::optional<std::string> line = reader.next()) {
    std::vector<int> tokens;
    for (const std::string_view word : words(*line)) {
      const auto found = ids.find(std::string(word));
      ATTN_CHECK(found != ids.end(), "standard input, line ", reader.line(), ": '", word,
                 "' is not a token of this vocabulary");
      tokens.push_back(found->second);
    }
    put(tokenizer.decode(tokens) + '\n');
    if (!reader.ready()) flush_output();
  }
  return 0;
}

int run_tokenizer(const Arguments& arguments) {
  arguments.check_one_operand();
  const std::string what = arguments.operands().empty() ? "" : arguments.operands()[0];
  const auto needs = [&](const char* name) {
    if (!arguments.has(name)) fail_usage("tokenizer ", what, " needs --", name);
  };
  const auto refuses = [&](const std::string& name, const char* whose) {
    if (arguments.has(name)) fail_usage("--", name, " is for tokenizer ", whose, ", not ", what);
  };
  if (what == "train") {
    refuses("tokenizer", "encode and decode");
    needs("source");
    needs("out");
    return train(arguments);
  }
  if (what != "encode" && what != "decode") {
    fail_usage("tokenizer train, tokenizer encode or tokenizer decode?",
               suggestion(what, {"train", "encode", "decode"}));
  }
  for (const char* name : {"source", "target", "vocabulary", "out"}) refuses(name, "train");
  needs("tokenizer");
  const std::string& path = arguments.value("tokenizer");
  const Tokenizer tokenizer = Tokenizer::parse(read_file(path), path);
  return what == "encode" ? encode(tokenizer) : decode(tokenizer);
}

}  // namespace

Command tokenizer_command() {
  Command command;
  command.name = "tokenizer";
  command.summary = "learn byte pairs, and write lines as tokens and back";
  command.usage = {"tokenizer train --source F [--target F] [--vocabulary N] --out F",
                   "tokenizer encode --tokenizer F < lines > lines",
                   "tokenizer decode --tokenizer F < lines > lines"};
  command.description =
      "train learns byte pairs (5.1) from one file or from both sides of a translation together: "
      "frequent words become one token, rare ones several, and whatever is left is spelt in bytes, "
      "so that no text is unknown. encode writes each line as tokens with spaces between them, "
      "where _ is the end of a piece; decode turns them back into the very line. What is around "
      "the "
      "lines is not kept: each is written with a newline after it, without the carriage return "
      "that "
      "Windows puts there, and without a byte-order mark before the first.";
  command.examples = {
      "attention tokenizer train --source train.fr --target train.en --out t.txt",
      "attention tokenizer encode --tokenizer t.txt < test.fr",
  };
  command.groups = {{"Options of train",
                     {{"source", "F", "text, one sentence per line"},
                      {"target", "F", "its translation, or any other text"},
                      {"vocabulary", "N",
                       "the most tokens: 3 special ones, 256 bytes, the mark of an end, characters "
                       "and merged pairs",
                       std::to_string(kDefaultVocabulary)},
                      {"out", "F", "where to write the tokenizer"}}},
                    {"Options of encode and decode", {{"tokenizer", "F", "the tokenizer"}}}};
  command.operands = "train|encode|decode";
  command.run = run_tokenizer;
  return command;
}

}  // namespace attn::app
