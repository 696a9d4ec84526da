// attention evaluate: how well a model predicts given translations, and how often it makes them.
#include <string>
#include <vector>

#include "app/beam_options.h"
#include "app/commands.h"
#include "app/terminal/console.h"
#include "app/terminal/countdown.h"
#include "app/train_options.h"
#include "metrics/bleu.h"
#include "metrics/chrf.h"
#include "metrics/exact_match.h"
#include "storage/json.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "training/run_directory.h"

namespace attn::app {

namespace {

int run_evaluate(const Arguments& arguments) {
  use_threads(arguments);
  const BeamOptions options = beam_options(arguments, 1);
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
  BleuCounts words;
  ChrfCounts letters;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    words += bleu_counts(translated.outputs[i], {lines[i].target});
    letters += chrf_counts(translated.outputs[i], {lines[i].target});
  }
  const double pairs = static_cast<double>(lines.size());
  Json result = Json::object({{"pairs", lines.size()},
                              {"tokens", sums.tokens},
                              {"loss", sums.mean_loss()},
                              {"perplexity", sums.perplexity()},
                              {"token_accuracy", sums.accuracy()},
                              {"exact_match", static_cast<double>(translated.count) / pairs},
                              {"bleu", bleu(words).score},
                              {"chrf", chrf(letters)}});
  const SourceErrors errors = source_errors(lines, translated.matches);
  if (errors.repeats > 0) {
    say(text("attention: ", counted(errors.repeats, "line"), " of ", source,
             errors.repeats == 1 ? " repeats" : " repeat", " a source: its targets are ",
             "alternatives in error_rate (if a source is a word, the word error rate)"));
    result.add("sources", errors.sources);
    result.add("error_rate",
               100 * static_cast<double>(errors.wrong) / static_cast<double>(errors.sources));
  }
  if (arguments.has("json")) {
    put(to_json(result) + '\n');
    return 0;
  }
  for (const Json::Member& member : result.members()) {
    const bool whole = member.value.is_integer();
    put(member.key + '\t' + (whole ? to_json(member.value) : fixed(member.value.number(), 6)) +
        '\n');
  }
  return 0;
}

}  // namespace

Command evaluate_command() {
  Command command;
  command.name = "evaluate";
  command.summary = "measure a model on parallel text";
  command.usage = {"evaluate --model DIR --source F --target F [--beam N] [--json]"};
  command.description =
      "Prints one line per number, its name, a tab and its value: the pairs of sentences and the "
      "target tokens (an end of sentence for each included); loss, the mean over tokens of what "
      "training minimises, label smoothing included; perplexity, e to the mean of -ln p of the "
      "right token, smoothing not included (5.4); token_accuracy, the share of tokens that are the "
      "most probable one after the right tokens before them; exact_match, the share of sentences "
      "whose translation, made without seeing the target, is the target word by word; bleu and "
      "chrf of the translations, 0 to 100, as attention bleu and attention chrf compute them.\n\n"
      "If lines of --source are repeated, their targets are alternatives, and two more numbers "
      "follow: the different sources, and error_rate, the percentage of them whose translation is "
      "none of their targets. Of a dictionary, in which a source is a word and a target one of its "
      "pronunciations, this is the word error rate. Translations are made greedily unless --beam "
      "says otherwise.";
  command.examples = {
      "attention evaluate --model runs/copy \\",
      "  --source data/copy/test.source --target data/copy/test.target",
      "attention evaluate --model runs/text --source test.fr --target test.en --json",
  };
  command.groups = {
      {"Options",
       {{"model", "DIR", "the directory of the run, or a .safetensors file in it", "", true},
        {"source", "F", "sentences, one per line", "", true},
        {"target", "F", "their reference translations, line by line", "", true},
        beam_option("1"),
        alpha_option(),
        max_extra_option(),
        *find_option(train_option_groups(), "threads"),
        {"json", "", "print one JSON object instead"}}}};
  command.run = run_evaluate;
  return command;
}

}  // namespace attn::app
