// attention translate: sentences from standard input, translations to standard output.
#include <algorithm>
#include <cstdio>
#include <set>

#include "app/options.h"
#include "app/terminal/console.h"
#include "app/terminal/unknown_words.h"
#include "base/format.h"
#include "decoding/translate.h"
#include "text/batch.h"
#include "text/lines.h"

namespace attn::app {

// With `numbered`, the input line's number (`number` for the first) and the score come first.
static void put_translations(const std::vector<std::vector<TranslatedLine>>& lines, Index number,
                             bool numbered) {
  for (const std::vector<TranslatedLine>& line : lines) {
    std::set<std::string> seen;
    for (const TranslatedLine& translation : line) {
      std::string output = translation.line;
      if (numbered) {
        std::replace(output.begin(), output.end(), '\t', ' ');  // which separates columns
        if (!seen.insert(output).second) continue;
        put(text(number, '\t', fixed(translation.score, 6), '\t'));
      }
      put((platform::is_terminal(platform::standard_output) ? printable(output) : output) + '\n');
    }
    ++number;
  }
  flush_output();
}

static void say_what_to_type(const Tokenizer& tokenizer) {
  say(text("Type ",
           tokenizer.units() != Units::words ? "a sentence"
           : knows_letters_only(tokenizer) ? "letters with spaces between them, such as h e l l o,"
                                           : "a sentence, its words separated by spaces,",
           " and press Enter.\nCtrl-D on a new line ends (on Windows: Ctrl-Z, then Enter)."));
}

int run_translate(const Arguments& arguments) {
  using namespace platform;
  BeamOptions options = beam_options(arguments);
  options.n_best = arguments.number_or("nbest", 1, 1, 1000);
  check_usage(options.n_best <= options.beam, "--nbest ", options.n_best,
              " needs a --beam of at least ", options.n_best, ", not ", options.beam);
  const TrainedModel trained = load_translator(arguments);
  const bool typed = is_terminal(standard_input) && is_terminal(standard_error);
  if (typed) say_what_to_type(trained.tokenizer);
  StatusLine status(can_redraw() && !is_terminal(standard_input) && !is_terminal(standard_output));
  UnknownWords unknown(trained.tokenizer);
  LineReader reader;
  Index tokens = 0, wrong = 0;

  // The next line; one that cannot be translated counts as empty, so the others keep their places.
  const auto next_line = [&]() -> std::optional<std::string> {
    if (typed) std::fputs("> ", stderr);
    const std::int64_t lines_before = reader.line();
    try {
      std::optional<std::string> line = reader.next();
      if (!line) return line;
      line = as_known(trained.tokenizer, *line);
      const Index line_tokens = encode_source(trained.tokenizer, *line).size();
      check_length(*trained.model, line_tokens, text("standard input, line ", reader.line()));
      unknown.tell_of_line(*line, text("line ", reader.line(), ": "));
      tokens += line_tokens;
      return line;
    } catch (const Error& error) {
      if (reader.line() == lines_before) throw;  // it is the input that cannot be read
      warn(error.what(), "; left blank");
      ++wrong;
      return "";
    }
  };

  std::optional<std::string> line;
  do {
    status.clear();  // for warnings
    const Index first = reader.line() + 1;
    std::vector<std::string> lines;
    tokens = 0;
    do {
      line = next_line();
      if (line) lines.push_back(*line);
    } while (line && reader.ready() && tokens * options.beam < kTokensAtOnce);
    status.show_count("translating: line", reader.line(), 0);
    put_translations(translate(*trained.model, trained.tokenizer, lines, options), first,
                     arguments.has("nbest"));
  } while (line);
  status.clear();
  if (typed) say("");  // the shell's prompt gets a line of its own
  ATTN_CHECK(wrong == 0, grouped(wrong), " of ", grouped(reader.line()),
             " lines could not be translated; left blank");
  return 0;
}

}  // namespace attn::app
