// What a model makes of a sentence: its translations, the tree of the search that finds them, and
// the distribution over the next token after any beginning.
#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "decoding/beam_search.h"
#include "decoding/next_token.h"
#include "kernels/kernels.h"
#include "lab/web/operations.h"
#include "text/corpus.h"

namespace attn::web {

namespace {

constexpr Index kMostBeams = 32;
constexpr Index kShownTokens = 12;     // candidates of one step of decode
constexpr std::size_t kShownLost = 8;  // candidates of a search's step that were not kept

BeamOptions options_of(const Request& request) {
  BeamOptions options;
  if (request.has("beam")) options.beam = request.whole("beam", 1, kMostBeams);
  if (request.has("alpha")) options.alpha = request.number("alpha", 0, 10);
  options.n_best = options.beam;
  return options;
}

PackedIds packed(const std::vector<int>& ids) {
  PackedIds result;
  result.append(ids);
  return result;
}

// A sentence that is searched for translations.
struct Search {
  const Tokenizer& tokenizer;
  const BeamOptions& options;
  Index longest;  // output

  // The number of tokens that P is a product over: <eos> too, if the output has one.
  Index length(const std::vector<int>& tokens) const {
    return std::min(static_cast<Index>(tokens.size()) + 1, longest);
  }
  Json json(const Translation& found) const {
    const double penalty = length_penalty(options.alpha, length(found.tokens));
    return Json::object({{"text", tokenizer.decode(found.tokens)},
                         {"tokens", tokens_json(tokenizer, found.tokens)},
                         {"score", found.score},
                         {"log_probability", found.score * penalty}});
  }
};

// One step of a search as the page draws it: each candidate with its parent's place in the step
// before.
class Tree {
 public:
  explicit Tree(const Search& search) : search_(search) {}

  void add_step(std::vector<Continuation> candidates) {
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const Continuation& a, const Continuation& b) { return a.log_p > b.log_p; });
    const std::size_t kept = static_cast<std::size_t>(search_.options.beam);
    const Index length = static_cast<Index>(steps_.items().size()) + 1;
    std::vector<Index> places;  // of the hypotheses that go on
    Json step = Json::array();
    for (std::size_t i = 0; i < candidates.size() && i < kept + kShownLost; ++i) {
      const Continuation& one = candidates[i];
      const bool ends = one.token == kEos || length == search_.longest;
      const Index parent = length == 1 ? -1 : places_[one.parent];
      Json candidate = Json::object({{"parent", parent},
                                     {"id", one.token},
                                     {"token", search_.tokenizer.token(one.token)},
                                     {"log_probability", one.log_p},
                                     {"kept", i < kept},
                                     {"finished", i < kept && ends}});
      if (i < kept && ends) finish(one, length, static_cast<Index>(i), candidate);
      if (i < kept && !ends) places.push_back(static_cast<Index>(i));
      step.add(candidate);
    }
    places_ = places;
    steps_.add(Json::object({{"candidates", step}}));
  }

  Json steps() const { return steps_; }
  Json best() const { return best_; }

 private:
  // The best output is the one that was found first of those with the highest score.
  void finish(const Continuation& one, Index length, Index place, Json& candidate) {
    const double score = one.log_p / length_penalty(search_.options.alpha, length);
    candidate.add("score", score);
    if (best_.type() != Json::Type::null && score <= best_score_) return;
    best_score_ = score;
    best_ = Json::object({{"step", length - 1}, {"candidate", place}});
  }

  const Search& search_;
  Json steps_ = Json::array();
  std::vector<Index> places_;
  Json best_;
  double best_score_ = 0;
};

}  // namespace

std::vector<int> source_of(const PlayModel& play, const Request& request, Json& answer) {
  const std::string source = request.text("source");
  const std::vector<int> ids = encode_source(play.tokenizer, source);
  ATTN_CHECK(ids.size() > 1, "the source sentence has no words");
  check_length(*play.model, static_cast<Index>(ids.size()), "the source sentence");
  Json unknown = Json::array();
  for (const std::string_view word : play.tokenizer.unknown_words(source)) unknown.add(word);
  answer.add("source", tokens_json(play.tokenizer, ids));
  answer.add("unknown", unknown);
  return ids;
}

void translate(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const BeamOptions options = options_of(request);
  const std::vector<int> source = source_of(play, request, answer);
  const View view = view_of(play, request.heads("off"));
  const Search search{
      play.tokenizer, options,
      longest_output(options.limits, *view.model, static_cast<Index>(source.size()))};
  const auto found = beam_search(*view.model, packed(source), options).front();
  Json hypotheses = Json::array();
  for (const Translation& one : found) hypotheses.add(search.json(one));
  const Json& best = hypotheses.items().front();
  Json ids = Json::array();
  for (const int id : found.front().tokens) ids.add(id);
  for (const char* name : {"tokens", "score", "log_probability"}) answer.add(name, best.at(name));
  answer.add("output", best.at("text"));
  answer.add("ids", ids);
  answer.add("hypotheses", hypotheses);
}

void beam(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const BeamOptions options = options_of(request);
  const std::vector<int> source = source_of(play, request, answer);
  const View view = view_of(play, request.heads("off"));
  const Search search{
      play.tokenizer, options,
      longest_output(options.limits, *view.model, static_cast<Index>(source.size()))};
  Tree tree(search);
  const auto found = beam_search(*view.model, packed(source), options,
                                 [&](std::size_t, const std::vector<Continuation>& candidates) {
                                   tree.add_step(candidates);
                                 })
                         .front();
  Json finished = Json::array();
  for (const Translation& one : found) finished.add(search.json(one));
  answer.add("steps", tree.steps());
  answer.add("best", tree.best());
  answer.add("finished", finished);
}

void decode(Engine& engine, const Request& request, Json& answer) {
  const PlayModel& play = model_of(engine, request);
  const std::vector<int> source = source_of(play, request, answer);
  std::vector<int> prefix;
  if (request.has("prefix")) {
    for (const Json& id : request.field("prefix").items()) {
      ATTN_CHECK(id.is_integer() && id.integer() >= 0 && id.integer() < play.tokenizer.size(),
                 "prefix: there is no token ", to_json(id));
      prefix.push_back(static_cast<int>(id.integer()));
    }
  }
  const View view = view_of(play, request.heads("off"));
  check_length(*view.model, static_cast<Index>(prefix.size()) + 1, "the prefix");

  // Reads <bos> and the prefix; the last logits are those of the next token.
  const auto state = view.model->start_decoding(packed(source));
  Tensor logits = view.model->next_logits(*state, {kBos});
  const Index V = logits.cols();
  double log_p = 0;
  Json chosen = Json::array();
  for (const int id : prefix) {
    kernels().log_softmax_row(V, logits.row(0));
    const double log_one = static_cast<double>(logits(0, id));
    log_p += log_one;
    chosen.add(Json::object(
        {{"id", id}, {"token", play.tokenizer.token(id)}, {"probability", std::exp(log_one)}}));
    logits = view.model->next_logits(*state, {id});
  }
  const std::vector<int> best = top_tokens(kShownTokens, V, logits.row(0));
  kernels().log_softmax_row(V, logits.row(0));
  Json candidates = Json::array();
  for (const int id : best) {
    const double log_one = static_cast<double>(logits(0, id));
    candidates.add(Json::object({{"id", id},
                                 {"token", play.tokenizer.token(id)},
                                 {"probability", std::exp(log_one)},
                                 {"log_probability", log_one}}));
  }
  answer.add("prefix", chosen);
  answer.add("output", play.tokenizer.decode(prefix));
  answer.add("log_probability", log_p);
  answer.add("ended", !prefix.empty() && prefix.back() == kEos);
  answer.add("candidates", candidates);
}

}  // namespace attn::web
