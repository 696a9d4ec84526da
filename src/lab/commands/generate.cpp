// attention-lab generate: text from a language model, to standard output as it is written.
#include "lab/language/generate.h"

#include <string>
#include <vector>

#include "app/terminal/console.h"
#include "app/terminal/unknown_words.h"
#include "base/platform.h"
#include "base/utf8.h"
#include "lab/commands/commands.h"
#include "lab/language/streamed_text.h"
#include "text/corpus.h"
#include "text/lines.h"
#include "text/tokenizer.h"

namespace attn::app {

namespace {

GenerateOptions generate_options(const Arguments& arguments) {
  GenerateOptions options;
  options.sampling.temperature = arguments.real("temperature", 0, 100);
  options.sampling.top_k = arguments.number_or("top-k", kAnyLength, 1, kLargestVocabulary);
  options.sampling.top_p = arguments.positive_or("top-p", 1, 1);
  options.tokens = arguments.number("tokens", 1, 1000000000);
  options.seed = seed_of(arguments);
  return options;
}

// The text to continue. Of the last line there is no end yet.
std::vector<int> prompt_ids(const std::string& prompt, const Tokenizer& tokenizer) {
  const std::size_t invalid = first_invalid_utf8(prompt);
  check_usage(invalid == prompt.size(), "--prompt is not UTF-8 at byte ", invalid + 1);
  const std::string typed = as_known(tokenizer, prompt);
  UnknownWords unknown(tokenizer);
  for (const std::string& line : split(typed, '\n')) unknown.tell_of_line(line, "--prompt: ");
  std::vector<int> ids = whole_text(tokenizer, typed);
  ids.pop_back();
  return ids;
}

}  // namespace

int run_generate(const Arguments& arguments) {
  GenerateOptions options = generate_options(arguments);
  const TrainedModel trained = load_writer(arguments);
  options.context = trained.context;
  const std::string prompt = arguments.value_or("prompt", "");
  const std::vector<int> text = prompt_ids(prompt, trained.tokenizer);

  using namespace platform;
  const bool terminal = is_terminal(standard_output);
  bool line_ended = false;
  const auto show = [&](const std::string& more) {
    if (more.empty()) return;
    put(terminal ? printable(more) : more);
    flush_output();
    line_ended = more.back() == '\n';
  };
  show(prompt);
  StreamedText written(trained.tokenizer);
  for (const int token : text) written.add(token);
  written.rest();  // which the prompt shows
  generate(*trained.model, text, options, [&](int token) { show(written.add(token)); });
  show(written.rest());
  if (!line_ended) show("\n");
  return 0;
}

}  // namespace attn::app
