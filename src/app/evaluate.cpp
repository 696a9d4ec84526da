// attention evaluate: how well a model predicts given translations, and how often it makes them.
#include <string>
#include <vector>

#include "app/commands.h"
#include "app/console.h"
#include "app/trained_model.h"
#include "decoding/greedy.h"
#include "storage/json.h"
#include "text/batch.h"
#include "text/corpus.h"
#include "text/lines.h"
#include "training/trainer.h"

namespace attn::app {

namespace {

// Each pair of lines as ids. None is left out: a score over fewer lines would be another score.
std::vector<SentencePair> encode_all(const TrainedModel& trained,
                                     const std::vector<TextPair>& lines,
                                     const Arguments& arguments) {
  std::vector<SentencePair> pairs;
  Index unknown = 0, total = 0;
  for (std::size_t n = 0; n < lines.size(); ++n) {
    SentencePair pair{encode_source(trained.vocabulary, lines[n].source),
                      encode_target(trained.vocabulary, lines[n].target)};
    const auto where = [&](const char* side) {
      return text(arguments.value(side), ", line ", n + 1);
    };
    check_length(*trained.model, static_cast<Index>(pair.source.size()), where("source"));
    check_length(*trained.model, static_cast<Index>(pair.target.size()) - 1, where("target"));
    for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
      for (const int id : *ids) unknown += id == kUnknown;
    }
    total += static_cast<Index>(pair.source.size() + pair.target.size()) - 3;
    pairs.push_back(std::move(pair));
  }
  if (unknown > 0) {
    say(text("attention: warning: the model does not know ", grouped(unknown), " of the ",
             grouped(total), " words, and reads <unk>"));
  }
  return pairs;
}

// How many outputs are the target, word by word. An empty line is answered by an empty line.
Index exact_matches(const TrainedModel& trained, const std::vector<TextPair>& lines,
                    const std::vector<Batch>& batches) {
  Index matches = 0;
  std::size_t n = 0;
  for (const Batch& batch : batches) {
    for (const std::vector<int>& output : decode_greedily(*trained.model, batch.source)) {
      std::string target;
      for (const std::string_view word : words(lines[n].target)) {
        target += (target.empty() ? "" : " ") + std::string(word);
      }
      const bool empty = words(lines[n].source).empty();
      matches += (empty ? "" : trained.vocabulary.decode(output)) == target;
      ++n;
    }
  }
  return matches;
}

int run_evaluate(const Arguments& arguments) {
  const TrainedModel trained = load_trained_model(arguments.value("model"));
  const std::vector<TextPair> lines =
      read_parallel_text(arguments.value("source"), arguments.value("target"));
  const std::vector<Batch> batches =
      batches_in_order(encode_all(trained, lines, arguments), kTokensAtOnce);

  const LossSums sums = evaluate(*trained.model, batches);
  const Index matches = exact_matches(trained, lines, batches);
  const double pairs = static_cast<double>(lines.size());
  const Json result = Json::object({{"pairs", lines.size()},
                                    {"tokens", sums.tokens},
                                    {"loss", sums.mean_loss()},
                                    {"perplexity", sums.perplexity()},
                                    {"token_accuracy", sums.accuracy()},
                                    {"exact_match", static_cast<double>(matches) / pairs}});
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
  command.usage = {"evaluate --model DIR --source F --target F [--json]"};
  command.description =
      "Prints, a line each, a name, a tab and a number: the pairs of sentences and the target "
      "tokens (an end of sentence for each included); loss, the mean over tokens of what training "
      "minimises, label smoothing included; perplexity, e to the mean of -ln p of the right token, "
      "smoothing not included (5.4); token_accuracy, the share of tokens that are the most "
      "probable one after the right tokens before them; exact_match, the share of sentences whose "
      "translation, made greedily (translate --beam 1) and without seeing the target, is the "
      "target word by word.";
  command.examples = {
      "attention evaluate --model runs/copy \\",
      "  --source data/copy/test.source --target data/copy/test.target",
      "attention evaluate --model runs/text --source test.fr --target test.en --json",
  };
  command.groups = {{"Options",
                     {{"model", "DIR", "the directory of the run", "", true},
                      {"source", "F", "sentences, one a line", "", true},
                      {"target", "F", "their right translations, line by line", "", true},
                      {"json", "", "print one JSON object instead"}}}};
  command.run = run_evaluate;
  return command;
}

}  // namespace attn::app
