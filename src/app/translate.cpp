// attention translate: sentences from standard input, translations to standard output.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/status_line.h"
#include "app/terminal/streams.h"
#include "app/terminal/unknown_words.h"
#include "decoding/translate.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "text/lines.h"

namespace attn::app {

namespace {

// With `numbered`, an output is one line of several: the number of the input's line and the score
// before it. `number` is that of the first line.
void put_translations(const std::vector<std::vector<TranslatedLine>>& lines, Index number,
                      bool numbered) {
  for (const std::vector<TranslatedLine>& line : lines) {
    for (const TranslatedLine& translation : line) {
      std::string output = translation.line;
      if (numbered) {
        std::replace(output.begin(), output.end(), '\t', ' ');  // which separates columns
        put(text(number, '\t', fixed(translation.score, 6), '\t'));
      }
      put((platform::is_terminal(platform::standard_output) ? printable(output) : output) + '\n');
    }
    ++number;
  }
  flush_output();
}

BeamOptions search_options(const Arguments& arguments) {
  BeamOptions options = beam_options(arguments);
  options.n_best = arguments.number_or("nbest", 1, 1, 1000);
  if (options.n_best > options.beam) {
    fail_usage("--nbest ", options.n_best, " needs a --beam of at least ", options.n_best, ", not ",
               options.beam);
  }
  return options;
}

// At a terminal.
constexpr const char* kPrompt = "> ";

void say_what_to_type(const Tokenizer& tokenizer) {
  const Vocabulary* words = tokenizer.words();
  say(text("Type ",
           words == nullptr || words->units() == Units::characters ? "a sentence"
           : knows_letters_only(*words) ? "letters with spaces between them, such as h e l l o,"
                                        : "a sentence, its words separated by spaces,",
           " and press Enter.\nCtrl-D on a new line ends (on Windows: Ctrl-Z, then Enter)."));
}

}  // namespace

int run_translate(const Arguments& arguments) {
  const BeamOptions options = search_options(arguments);
  const TrainedModel trained = load_translator(arguments);
  LineReader reader;
  UnknownWords unknown(trained.tokenizer);
  Index wrong = 0;
  using namespace platform;
  const bool typed = is_terminal(standard_input) && is_terminal(standard_error);
  if (typed) say_what_to_type(trained.tokenizer);
  Countdown countdown(!is_terminal(standard_input) && !is_terminal(standard_output));
  const double size = static_cast<double>(standard_input_size());

  for (bool at_end = false; !at_end;) {
    // Collect lines while there are some at hand. One that cannot be translated is answered as an
    // empty line would be, so that the others keep their places.
    std::vector<std::string> lines;
    Index tokens = 0;
    const Index first = reader.line() + 1;
    do {
      const std::int64_t lines_before = reader.line();
      std::optional<std::string> line;
      if (typed) std::fputs(kPrompt, stderr);
      try {
        line = reader.next();
        at_end = !line;
        if (at_end) break;
        const auto line_tokens = static_cast<Index>(encode_source(trained.tokenizer, *line).size());
        check_length(*trained.model, line_tokens, text("standard input, line ", reader.line()));
        for (const std::string_view word : trained.tokenizer.unknown_words(*line)) {
          countdown.clear();
          unknown.tell(word, text("line ", reader.line(), ": "));
        }
        tokens += line_tokens;
      } catch (const Error& error) {
        if (reader.line() == lines_before) throw;  // it is the input that cannot be read
        countdown.clear();
        warn(error.what(), "; its translation is left empty");
        line = "";
        ++wrong;
      }
      lines.push_back(std::move(*line));
    } while (reader.ready() && tokens * options.beam < kTokensAtOnce);
    put_translations(translate(*trained.model, trained.tokenizer, lines, options), first,
                     arguments.has("nbest"));
    countdown.show(text("translating: line ", grouped(reader.line())),
                   size > 0 ? static_cast<double>(reader.bytes()) / size : -1);
  }
  countdown.clear();
  if (typed) say("");  // the shell's prompt gets a line of its own
  ATTN_CHECK(wrong == 0,
             "lines that could not be translated and are empty in the output: ", grouped(wrong),
             " of ", grouped(reader.line()));
  return 0;
}

}  // namespace attn::app
