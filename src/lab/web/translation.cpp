// Translations, the tree of the search that finds them, and distributions over the next token.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"
#include "decoding/beam_search.h"
#include "kernels/kernels.h"
#include "lab/language/generate.h"
#include "lab/web/operations.h"
#include "text/corpus.h"
#include "text/tokenizer.h"

namespace attn::web {

namespace {

constexpr Index kMostBeams = 32;
constexpr Index kShownTokens = 12;     // candidates of one step of decode
constexpr std::size_t kShownLost = 8;  // candidates of a search's step that were not kept

// The search that a request asks for. Adds its source to the answer.
std::vector<Translation> search(Engine& engine, const Request& request, Json& answer,
                                const SearchWatcher& watcher = {}) {
  const PlayModel& play = pair_model_of(engine, request);
  BeamOptions options;
  options.beam = options.n_best = request.whole_or("beam", options.beam, 1, kMostBeams);
  options.alpha = request.number_or("alpha", options.alpha, 0, 10);
  options.unknown = play.tokenizer.writes_unknown();
  const PackedIds source = packed(source_of(play, request, answer));
  return beam_search(*view_of(play, request.heads("off")), source, options, watcher).front();
}

Json translations_json(const Tokenizer& tokenizer, const std::vector<Translation>& found) {
  Json list = Json::array();
  for (const Translation& one : found) {
    list.add(Json::object({{"text", tokenizer.decode(one.tokens)},
                           {"tokens", tokens_json(tokenizer, one.tokens)},
                           {"score", one.score},
                           {"log_probability", one.log_p}}));
  }
  return list;
}

// A search as the page draws it: each step's candidates, with their parents' places in the last.
struct Tree {
  const Tokenizer& tokenizer;
  std::size_t beam;
  Json steps = Json::array();
  std::vector<Index> places = {-1};  // of the hypotheses that go on
  Json best = {};  // of the outputs with the highest score the one that was found first
  double best_score = 0;

  void add_step(const std::vector<Continuation>& candidates) {
    std::vector<Index> next;
    Json step = Json::array();
    for (std::size_t i = 0; i < candidates.size() && i < beam + kShownLost; ++i) {
      const Continuation& one = candidates[i];
      const Index place = i;
      const bool kept = i < beam, finished = one.score.has_value();
      Json candidate = Json::object({{"parent", places[one.parent]},
                                     {"id", one.token},
                                     {"token", tokenizer.token(one.token)},
                                     {"log_probability", one.log_p},
                                     {"kept", kept},
                                     {"finished", finished}});
      if (finished) candidate.add("score", *one.score);
      if (finished && (best.type() == Json::Type::null || *one.score > best_score)) {
        best_score = *one.score;
        best = Json::object({{"step", steps.items().size()}, {"candidate", place}});
      }
      if (kept && !finished) next.push_back(place);
      step.add(candidate);
    }
    places = next;
    steps.add(Json::object({{"candidates", step}}));
  }
};

Json token_json(const Tokenizer& tokenizer, const TokenProbability& one) {
  return Json::object(
      {{"id", one.token}, {"token", tokenizer.token(one.token)}, {"probability", one.p}});
}

}  // namespace

std::vector<int> source_of(const PlayModel& play, const Request& request, Json& answer) {
  const std::string source = as_known(play.tokenizer, request.text("source"));
  std::vector<int> ids = encode_source(play.tokenizer, source);
  if (play.context > 0) {
    std::rotate(ids.begin(), ids.end() - 1, ids.end());
  } else {
    ATTN_CHECK(ids.size() > 1, "the source sentence has no words");
  }
  check_length(*play.model, ids.size(), "the source sentence");
  answer.add("source", tokens_json(play.tokenizer, ids));
  answer.add("unknown", texts_json(play.tokenizer.unknown_words(source)));
  return ids;
}

std::vector<int> prefix_of(const PlayModel& play, const Request& request) {
  std::vector<int> prefix;
  if (!request.has("prefix")) return prefix;
  for (const Json& id : request.field("prefix").items()) {
    ATTN_CHECK(id.is_integer() && id.integer() >= 0 && id.integer() < play.tokenizer.size(),
               "prefix: there is no token ", to_json(id));
    prefix.push_back(static_cast<int>(id.integer()));
  }
  return prefix;
}

void translate(Engine& engine, const Request& request, Json& answer) {
  const std::vector<Translation> found = search(engine, request, answer);
  const Json hypotheses = translations_json(model_of(engine, request).tokenizer, found);
  const Json& best = hypotheses.items().front();
  Json ids = Json::array();
  for (const int id : found.front().tokens) ids.add(id);
  for (const char* name : {"tokens", "score", "log_probability"}) answer.add(name, best.at(name));
  answer.add("output", best.at("text"));
  answer.add("ids", ids);
  answer.add("hypotheses", hypotheses);
}

void beam(Engine& engine, const Request& request, Json& answer) {
  const Tokenizer& tokenizer = model_of(engine, request).tokenizer;
  const Index kept = request.whole_or("beam", BeamOptions().beam, 1, kMostBeams);
  Tree tree{tokenizer, static_cast<std::size_t>(kept)};
  const std::vector<Translation> found =
      search(engine, request, answer,
             [&](std::size_t, const std::vector<Continuation>& step) { tree.add_step(step); });
  answer.add("steps", tree.steps);
  answer.add("best", tree.best);
  answer.add("finished", translations_json(tokenizer, found));
}

void decode(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const bool writes = play.context > 0;
  std::vector<int> read = source_of(play, request, answer);
  if (!writes) read.push_back(kBos);
  const std::vector<int> prefix = prefix_of(play, request);
  const auto model = view_of(play, request.heads("off"));
  const Index length = prefix.size() + (writes ? read.size() : 1);
  check_length(*model, length, "the prefix");
  ATTN_CHECK(!writes || length <= play.context, "this model reads at most ", play.context,
             " tokens at a time");
  SamplingOptions options;
  options.temperature = request.number_or("temperature", options.temperature, 0, 100);
  const Index seed = request.whole_or("seed", 1, 0, std::numeric_limits<Index>::max());

  // Reads all but the last token, then that and the prefix; the last logits are those of the next.
  const int last = read.back();
  read.pop_back();
  const auto state = model->start_decoding(packed(read));
  const auto logits_after = [&](int id) {
    Tensor logits = state->next_logits({id});
    if (writes) forbid_special_tokens(logits);
    return logits;
  };
  Tensor logits = logits_after(last);
  const Index V = logits.cols();
  double log_p = 0;
  Json chosen = Json::array();
  for (const int id : prefix) {
    kernels().log_softmax_row(V, logits.row(0));
    const double log_one = static_cast<double>(logits(0, id));
    log_p += log_one;
    chosen.add(token_json(play.tokenizer, {id, std::exp(log_one)}));
    logits = logits_after(id);
  }
  const auto likely = sampling_distribution(options, V, logits.row(0));
  const double u = drawing_stream(static_cast<std::uint64_t>(seed))
                       .uniform(static_cast<std::uint64_t>(prefix.size()));
  const int drawn = draw(likely, u);
  Json candidates = Json::array();
  for (const TokenProbability& one : likely) {
    const Index shown = static_cast<Index>(candidates.items().size());
    if (one.p > 0 && shown < kShownTokens) candidates.add(token_json(play.tokenizer, one));
    if (one.token == drawn) answer.add("drawn", token_json(play.tokenizer, one));
  }
  answer.add("prefix", chosen);
  answer.add("output", play.tokenizer.decode(prefix));
  answer.add("log_probability", log_p);
  answer.add("ended", !prefix.empty() && prefix.back() == kEos);
  answer.add("candidates", candidates);
}

}  // namespace attn::web
