// attention tokenizer: learns byte pairs, and writes lines as tokens and back.
#include <unordered_map>

#include "app/options.h"
#include "app/terminal/console.h"
#include "app/terminal/printing.h"
#include "storage/atomic_file.h"
#include "text/lines.h"

namespace attn::app {

static int train(const Arguments& arguments) {
  const std::string& out = arguments.output("out");
  const Index size =
      arguments.number("vocabulary", Tokenizer::kFirstCharacter + 1, kLargestVocabulary);
  UnitCounts counts;
  std::int64_t lines = 0;
  bool blank = true;  // a piece may be white space alone
  for (const char* side : {"source", "target"}) {
    if (!arguments.has(side)) continue;
    for (const std::string& line : read_lines(arguments.value(side))) {
      count_units(Units::byte_pairs, line, counts);
      blank = blank && is_blank(line);
      ++lines;
    }
  }
  ATTN_CHECK(!blank, "there are no words to learn a tokenizer from in ", arguments.value("source"),
             arguments.has("target") ? " and " + arguments.value("target") : "");
  const Tokenizer tokenizer = Tokenizer::learn_byte_pairs(counts, size);
  write_file(out, tokenizer.text());
  say(text(counted(lines, "line"), ", ", counted(counts.size(), "different piece"), ": ",
           counted(tokenizer.size(), "token"), ", ", counted(tokenizer.merges().size(), "merge")));
  return 0;
}

static int encode(const Tokenizer& tokenizer) {
  LineReader reader;
  while (const std::optional<std::string> line = reader.next()) {
    std::vector<std::string> tokens;
    for (const int id : tokenizer.encode(*line)) tokens.push_back(tokenizer.token(id));
    put(joined(tokens, " ") + '\n');
    if (!reader.ready()) flush_output();
  }
  return 0;
}

static int decode(const Tokenizer& tokenizer) {
  std::unordered_map<std::string, int> ids;
  for (int id = 0; id < tokenizer.size(); ++id) ids.emplace(tokenizer.token(id), id);
  // A byte is at most seven as tokens: "\xHH _ ", a piece by itself.
  constexpr bool kKeepsMark = true;  // U+FEFF may be a token
  LineReader reader(platform::read_standard_input, "standard input", 8 * kLongestLine, kKeepsMark);
  while (const std::optional<std::string> line = reader.next()) {
    std::vector<int> tokens;
    for (const std::string_view word : words(*line)) {
      const auto found = ids.find(std::string(word));
      ATTN_CHECK(found != ids.end(), "standard input, line ", reader.line(), ": '", shortened(word),
                 "' is not a token of this vocabulary");
      tokens.push_back(found->second);
    }
    put(tokenizer.decode(tokens) + '\n');
    if (!reader.ready()) flush_output();
  }
  return 0;
}

int run_tokenizer(const Arguments& arguments) {
  if (arguments.subject() == "train") return train(arguments);
  const std::string& path = arguments.value("tokenizer");
  const Tokenizer tokenizer = Tokenizer::parse(read_file(path), path);
  return arguments.subject() == "encode" ? encode(tokenizer) : decode(tokenizer);
}

}  // namespace attn::app
