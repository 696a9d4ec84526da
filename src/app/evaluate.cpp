// attention evaluate: how well a model predicts given translations, and how often it makes them.
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/status_line.h"
#include "lab/metrics/chrf.h"
#include "metrics/bleu.h"
#include "metrics/exact_match.h"
#include "storage/json.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

// The numbers by name, in the order in which they are printed.
Json measured(const LossSums& sums, const ExactMatches& translated,
              const std::vector<TextPair>& lines) {
  BleuCounts words;
  ChrfCounts letters;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    words += bleu_counts(translated.outputs[i], {lines[i].target});
    letters += chrf_counts(translated.outputs[i], {lines[i].target});
  }
  const double pairs = static_cast<double>(lines.size());
  return Json::object({{"pairs", lines.size()},
                       {"tokens", sums.tokens},
                       {"loss", sums.mean_loss()},
                       {"perplexity", sums.perplexity()},
                       {"token_accuracy", sums.accuracy()},
                       {"exact_match", static_cast<double>(translated.count) / pairs},
                       {"bleu", bleu(words).score},
                       {"chrf", chrf(letters)}});
}

// Where sources are repeated: how many there are, and how many of them come out wrong.
void add_error_rate(const SourceErrors& errors, const std::string& source, Json& result) {
  if (errors.repeats == 0) return;
  say(text("attention: ", counted(errors.repeats, "line"), " of ", source,
           errors.repeats == 1 ? " repeats" : " repeat", " a source: its targets are ",
           "alternatives in error_rate (if a source is a word, the word error rate)"));
  result.add("sources", errors.sources);
  result.add("error_rate", static_cast<double>(errors.wrong) / static_cast<double>(errors.sources));
}

void put_result(const Json& result, bool as_json) {
  if (as_json) return put(to_json(result) + '\n');
  for (const Json::Member& member : result.members()) {
    const bool whole = member.value.is_integer();
    put(member.key + '\t' + (whole ? to_json(member.value) : fixed(member.value.number(), 6)) +
        '\n');
  }
}

}  // namespace

int run_evaluate(const Arguments& arguments) {
  use_threads(arguments);
  const BeamOptions options = beam_options(arguments);
  const TrainedModel trained = load_trained_model(arguments.value("model"));
  const std::string &source = arguments.value("source"), &target = arguments.value("target");
  const std::vector<TextPair> lines = read_parallel_text(source, target);
  const EncodedPairs encoded =
      encode_every_pair(lines, trained.tokenizer, *trained.model, source, target);
  if (encoded.unknown > 0) {
    say(text("attention: warning: the model does not know ", grouped(encoded.unknown), " of the ",
             grouped(encoded.words), " words, and reads <unk>"));
  }

  // Shown even where standard output is a terminal too: nothing is written until all is done.
  Countdown countdown(true);
  const Index total = static_cast<Index>(lines.size());
  const auto show = [&](const char* doing, Index done) {
    countdown.show(text(doing, ": line ", grouped(done), " of ", grouped(total)),
                   static_cast<double>(done) / static_cast<double>(total));
  };
  LossSums sums;
  Index predicted = 0;
  for (const Batch& batch : batches_in_order(encoded.pairs, kTokensAtOnce)) {
    sums += trained.model->loss(batch);
    predicted += batch.source.sentences();
    show("predicting", predicted);
  }
  countdown.restart();
  const ExactMatches translated = exact_matches(*trained.model, trained.tokenizer, lines, options,
                                                [&](Index done) { show("translating", done); });
  countdown.clear();
  Json result = measured(sums, translated, lines);
  add_error_rate(source_errors(lines, translated.matches), source, result);
  put_result(result, arguments.has("json"));
  return 0;
}

}  // namespace attn::app
