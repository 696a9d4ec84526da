// Each step continues every hypothesis by every token and keeps the best `beam`; those that end are
// finished. One call of the model continues all hypotheses of all sentences.
#include "decoding/beam_search.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/check.h"
#include "base/number.h"
#include "base/parallel.h"
#include "kernels/kernels.h"
#include "text/vocabulary.h"

namespace attn {

double length_penalty(double alpha, Index tokens) {
  return std::pow(to_double(5 + tokens) / 6, alpha);
}

namespace {

// The beginning of an output.
struct Hypothesis {
  std::vector<int> tokens;
  double log_p = 0;  // ln P of its tokens
};

// The search for one sentence's outputs.
class Search {
 public:
  Search(const BeamOptions& options, Index longest) : options_(options), longest_(longest) {}

  const std::vector<Hypothesis>& live() const { return live_; }
  std::vector<Translation> take_finished() { return std::move(finished_); }

  // The `beam` best continuations of live hypothesis number `parent`, from its next token's V
  // logits. If it is as long as can be, it ends.
  std::vector<Continuation> continuations(std::size_t parent, Index V, Real* logits) const {
    const Hypothesis& h = live_[parent];
    std::vector<int> tokens = top_tokens(options_.beam, V, logits, options_.unknown);
    if (static_cast<Index>(h.tokens.size()) == longest_) tokens = {kEos};
    kernels().log_softmax_row(V, logits);
    std::vector<Continuation> result;
    for (const int token : tokens) {
      result.push_back({parent, token, h.log_p + static_cast<double>(logits[token])});
    }
    return result;
  }

  // candidates: continuations of all live hypotheses, the best `beam` among them. Sorts them, and
  // scores those that end. Returns which old hypothesis each new one continues.
  std::vector<std::size_t> advance(std::vector<Continuation>& candidates) {
    std::stable_sort(
        candidates.begin(), candidates.end(),
        [](const Continuation& a, const Continuation& b) { return a.log_p > b.log_p; });
    const auto kept = std::min(candidates.size(), static_cast<std::size_t>(options_.beam));

    // Those that end are finished; the others are the next step's hypotheses.
    std::vector<Hypothesis> next;
    std::vector<std::size_t> parents;
    for (std::size_t i = 0; i < kept; ++i) {
      Continuation& best = candidates[i];
      Hypothesis h{live_[best.parent].tokens, best.log_p};
      if (best.token == kEos) {
        best.score = finish(std::move(h));
      } else {
        h.tokens.push_back(best.token);
        next.push_back(std::move(h));
        parents.push_back(best.parent);
      }
    }
    live_ = std::move(next);
    if (can_improve()) return parents;
    live_.clear();
    return {};
  }

 private:
  double score(double log_p, Index length) const {
    return log_p / length_penalty(options_.alpha, length);
  }

  // Keeps it if it is among the best; of equals the one found first. Returns its score.
  double finish(Hypothesis h) {
    const double found = score(h.log_p, static_cast<Index>(h.tokens.size()) + 1);
    Translation translation{std::move(h.tokens), found, h.log_p};
    const auto place = std::upper_bound(
        finished_.begin(), finished_.end(), translation,
        [](const Translation& a, const Translation& b) { return a.score > b.score; });
    finished_.insert(place, std::move(translation));
    if (static_cast<Index>(finished_.size()) > options_.n_best) finished_.pop_back();
    return found;
  }

  // Whether an output that is still to be found could be better than the worst that is wanted.
  bool can_improve() const {
    if (static_cast<Index>(finished_.size()) < options_.n_best) return true;
    return std::any_of(live_.begin(), live_.end(), [&](const Hypothesis& h) {
      return score(h.log_p, longest_ + 1) > finished_.back().score;
    });
  }

  const BeamOptions& options_;
  const Index longest_;                         // without <eos>
  std::vector<Hypothesis> live_{Hypothesis()};  // the empty beginning
  std::vector<Translation> finished_;           // best first
};

// A live hypothesis as a row of the model.
struct Row {
  std::size_t sentence, number;  // number: among the sentence's hypotheses
};

}  // namespace

std::vector<std::vector<Translation>> beam_search(const SequenceModel& model,
                                                  const PackedIds& source,
                                                  const BeamOptions& options,
                                                  const SearchWatcher& watcher) {
  ATTN_CHECK(options.beam >= 1 && options.n_best >= 1 && options.n_best <= options.beam,
             "a beam of ", options.beam, " hypotheses cannot find ", options.n_best, " outputs");
  ATTN_CHECK(options.alpha >= 0,
             "the length penalty's alpha must not be negative: ", shortest(options.alpha));
  std::vector<Search> searches;
  for (Index b = 0; b < source.sentences(); ++b) {
    const Index source_tokens = source.offsets[b + 1] - source.offsets[b];
    searches.emplace_back(options, longest_output(options.max_extra, model, source_tokens));
  }

  const auto state = model.start_decoding(source);
  std::vector<Index> parents;  // the old row that each new one continues
  for (std::size_t b = 0; b < searches.size(); ++b) parents.push_back(b);
  while (!parents.empty()) {
    state->reorder(parents);
    std::vector<Row> rows;
    std::vector<int> last;
    for (std::size_t b = 0; b < searches.size(); ++b) {
      const std::vector<Hypothesis>& live = searches[b].live();
      for (std::size_t number = 0; number < live.size(); ++number) {
        rows.push_back({b, number});
        last.push_back(live[number].tokens.empty() ? kBos : live[number].tokens.back());
      }
    }
    Tensor logits = state->next_logits(last);  // [R, V]

    // The best continuations of each row, and of these the best of each sentence.
    std::vector<std::vector<Continuation>> best(rows.size());
    parallel_for(rows.size(), [&](Index r) {
      const Search& search = searches[rows[r].sentence];
      best[r] = search.continuations(rows[r].number, logits.cols(), logits.row(r));
    });
    parents.clear();
    std::size_t first = 0;  // row of the sentence
    for (std::size_t b = 0; b < searches.size(); ++b) {
      Search& search = searches[b];
      const std::size_t end = first + search.live().size();
      std::vector<Continuation> candidates;
      for (std::size_t r = first; r < end; ++r) {
        candidates.insert(candidates.end(), best[r].begin(), best[r].end());
      }
      for (const std::size_t parent : search.advance(candidates)) {
        parents.push_back(first + parent);
      }
      if (watcher && !candidates.empty()) watcher(b, candidates);
      first = end;
    }
  }

  std::vector<std::vector<Translation>> result;
  for (Search& search : searches) result.push_back(search.take_finished());
  return result;
}

}  // namespace attn
