// attention evaluate: how well a model predicts given translations, and how often it makes them.
#include "app/evaluate.h"

#include <algorithm>
#include <cmath>

#include "app/options.h"
#include "app/terminal/console.h"
#include "app/terminal/unknown_words.h"
#include "base/format.h"
#include "decoding/next_token.h"
#include "metrics/bleu.h"
#include "metrics/exact_match.h"
#include "text/batch.h"
#include "text/lines.h"

namespace attn::app {

Json prediction(const char* what, std::size_t count, const LossSums& sums) {
  ATTN_CHECK(!std::isnan(sums.mean_loss()), kNotNumbers);
  return Json::object({{what, count},
                       {"tokens", sums.tokens},
                       {"loss", sums.mean_loss()},
                       {"perplexity", sums.perplexity()},
                       {"token_accuracy", sums.accuracy()}});
}

void warn_of_unknown(Index unknown, Index all) {
  if (unknown == 0) return;
  warn("the model does not know ", grouped(unknown), " of the ", grouped(all),
       " tokens, and reads <unk>");
}

void put_result(const Json& result, bool as_json) {
  if (as_json) return put(to_json(result) + '\n');
  for (const Json::Member& member : result.members()) {
    const bool whole = member.value.is_integer();
    put(member.key + '\t' + (whole ? to_json(member.value) : fixed(member.value.number(), 6)) +
        '\n');
  }
}

// Every pair as ids, empty ones too: a score over fewer lines would be a different score. A pair
// that the model cannot read is an error here, where training leaves it out.
static std::vector<SentencePair> encode_every_pair(const std::vector<TextPair>& lines,
                                                   const TrainedModel& trained,
                                                   const std::string& source,
                                                   const std::string& target) {
  std::vector<SentencePair> pairs;
  Index words = 0, unknown = 0;
  UnknownWords accents(trained.tokenizer);
  for (const TextPair& line : lines) {
    SentencePair pair = encode_pair(trained.tokenizer, line);
    const std::string in_source = text(source, ", line ", pairs.size() + 1),
                      in_target = text(target, ", line ", pairs.size() + 1);
    accents.tell_of_accents(line.source, in_source + ": ");
    accents.tell_of_accents(line.target, in_target + ": ");
    check_length(*trained.model, pair.source_tokens(), in_source);
    check_length(*trained.model, pair.target_tokens(), in_target);
    for (const std::vector<int>* ids : {&pair.source, &pair.target}) {
      unknown += std::count(ids->begin(), ids->end(), kUnknown);
    }
    words += pair.source_tokens() + pair.target_tokens() - 2;
    pairs.push_back(std::move(pair));
  }
  warn_of_unknown(unknown, words);
  return pairs;
}

int run_evaluate(const Arguments& arguments) {
  const BeamOptions options = beam_options(arguments);
  const TrainedModel trained = load_translator(arguments);
  const std::string &source = arguments.value("source"), &target = arguments.value("target");
  std::vector<TextPair> lines = read_parallel_text(source, target);
  for (TextPair& line : lines) {
    line.source = is_blank(line.source) ? "" : as_known(trained.tokenizer, line.source);
    if (is_blank(line.target)) line.target.clear();
  }
  const std::vector<SentencePair> pairs = encode_every_pair(lines, trained, source, target);

  StatusLine status;
  const Index total = lines.size();
  LossSums sums;
  Index predicted = 0;
  for (const Batch& batch : batches_in_order(pairs, kTokensAtOnce)) {
    sums += trained.model->loss(batch);
    predicted += batch.source.sentences();
    status.show_count("predicting: line", predicted, total);
  }
  const ExactMatches translated =
      exact_matches(*trained.model, trained.tokenizer, lines, options,
                    [&](Index done) { status.show_count("translating: line", done, total); });
  status.clear();
  BleuCounts words;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    words += bleu_counts(translated.outputs[i], {lines[i].target});
  }
  Json result = prediction("pairs", lines.size(), sums);
  result.add("exact_match", to_double(translated.count) / to_double(total));
  result.add("bleu", bleu(words).score);
  put_result(result, arguments.has("json"));
  return 0;
}

}  // namespace attn::app
