// attention-lab evaluate: as attention's, and how well a language model predicts a text.
#include <algorithm>
#include <cmath>

#include "app/evaluate.h"
#include "app/terminal/console.h"
#include "base/utf8.h"
#include "lab/commands/commands.h"
#include "lab/language/language_data.h"
#include "lab/language/windows.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "text/vocabulary.h"

namespace attn::app {

// A language model: how well it predicts each token of a text.
static int evaluate_text(const Arguments& arguments) {
  arguments.refuse({"source", "target", "beam", "alpha", "max-extra"},
                   "is for translations, not for --text");
  const TrainedModel trained = load_writer(arguments);
  const std::vector<std::string> lines = read_plain_text(arguments.value("text"));
  const std::vector<int> stream = text_stream(trained.tokenizer, lines);
  warn_of_unknown(std::count(stream.begin(), stream.end(), kUnknown), stream.size());
  std::size_t letters = 0, bytes = 0;  // with the end of each line
  for (const std::string& line : lines) {
    letters += characters(line).size() + 1;
    bytes += line.size() + 1;
  }

  StatusLine status;
  LossSums sums;
  for (const Batch& batch : scored_windows(stream, trained.context, kTokensAtOnce)) {
    sums += trained.model->loss(batch);
    status.show_count("predicting: token", sums.tokens, stream.size());
  }
  status.clear();
  const double bits = sums.log_loss / std::log(2.0);
  Json result = prediction("characters", letters, sums);
  result.add("bits_per_character", bits / to_double(letters));
  result.add("bits_per_byte", bits / to_double(bytes));
  put_result(result, arguments.has("json"));
  return 0;
}

int run_any_evaluate(const Arguments& arguments) {
  if (arguments.has("text")) return evaluate_text(arguments);
  for (const char* side : {"source", "target"}) {
    check_usage(arguments.has(side), "evaluate needs --", side,
                " F, or --text F for a language model");
  }
  return run_evaluate(arguments);
}

}  // namespace attn::app
