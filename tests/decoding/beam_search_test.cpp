#include "decoding/beam_search.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/parallel.h"
#include "decoding/greedy.h"
#include "kernels/kernels.h"
#include "support/small_models.h"
#include "support/stub_model.h"
#include "text/vocabulary.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr int kA = 3, kB = 4;  // two words; 0, 1 and 2 are <unk>, <bos> and <eos>
constexpr Index kWords = 5;    // the vocabulary

BeamOptions options(Index beam, double alpha, Index n_best, Index max_extra = kMaxExtra) {
  return {beam, alpha, n_best, max_extra};
}

// Sentences of 0 to 3 words.
PackedIds sources(int count) {
  PackedIds source;
  for (int b = 0; b < count; ++b) {
    Ids sentence;
    for (int t = 0; t < b % 4; ++t) sentence.push_back(3 + (b + t) % 2);
    sentence.push_back(kEos);
    source.append(sentence);
  }
  return source;
}

PackedIds one_source() {
  return packed({kA, kEos});
}

// The logarithms of chosen probabilities. A token that is not named gets hardly any.
std::vector<Real> chosen(const std::map<int, double>& probabilities) {
  std::vector<Real> logits(kWords, -50);
  for (const auto& [token, p] : probabilities) {
    logits[token] = static_cast<Real>(std::log(p));
  }
  return logits;
}

std::vector<Real> log_softmax(std::vector<Real> logits) {
  kernels().log_softmax_row(logits.size(), logits.data());
  return logits;
}

double score(double log_p, double length, double alpha) {
  return log_p / std::pow((5 + length) / 6, alpha);
}

bool better(const Translation& a, const Translation& b) {
  return a.score > b.score;
}

// Every output that there can be.
void all_outputs(const StubModel::Logits& logits, const Ids& source, const Ids& target,
                 double log_p, std::size_t longest, double alpha, std::vector<Translation>& found) {
  const std::vector<Real> next = log_softmax(logits(source, target));
  const auto with = [&](int token) { return log_p + static_cast<double>(next[token]); };
  found.push_back(
      {target, score(with(kEos), static_cast<double>(target.size() + 1), alpha), with(kEos)});
  if (target.size() == longest) return;
  for (const int token : {kA, kB}) {
    Ids longer = target;
    longer.push_back(token);
    all_outputs(logits, source, longer, with(token), longest, alpha, found);
  }
}

// Beam search for one sentence as it is defined, to the very end.
std::vector<Translation> search_plainly(const StubModel::Logits& logits, const Ids& source,
                                        std::size_t beam, double alpha, std::size_t longest) {
  struct Beginning {
    Ids tokens;  // with <eos>
    double log_p;
  };
  std::vector<Beginning> live{{{}, 0}};
  std::vector<Translation> finished;
  while (!live.empty()) {
    std::vector<Beginning> all;
    for (const Beginning& beginning : live) {
      const std::vector<Real> next = log_softmax(logits(source, beginning.tokens));
      for (int token = 0; token < kWords; ++token) {
        if (token == kBos || (beginning.tokens.size() == longest && token != kEos)) continue;
        all.push_back(beginning);
        all.back().tokens.push_back(token);
        all.back().log_p += static_cast<double>(next[token]);
      }
    }
    std::stable_sort(all.begin(), all.end(),
                     [](const Beginning& a, const Beginning& b) { return a.log_p > b.log_p; });
    if (all.size() > beam) all.resize(beam);
    live.clear();
    for (const Beginning& kept : all) {
      if (kept.tokens.back() != kEos) {
        live.push_back(kept);
        continue;
      }
      const double length = static_cast<double>(kept.tokens.size());
      finished.push_back({kept.tokens, score(kept.log_p, length, alpha)});
      finished.back().tokens.pop_back();
    }
  }
  std::stable_sort(finished.begin(), finished.end(), better);
  return finished;
}

// The first n, but for scores, which may differ in their last digits.
bool agree(const std::vector<Translation>& found, const std::vector<Translation>& expected,
           std::size_t n) {
  if (found.size() != std::min(n, expected.size())) return false;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (found[i].tokens != expected[i].tokens) return false;
    if (!(std::abs(found[i].score - expected[i].score) <= 1e-12)) return false;
  }
  return true;
}

bool same(const std::vector<Translation>& a, const std::vector<Translation>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Translation& x, const Translation& y) {
                      return x.tokens == y.tokens && x.score == y.score;
                    });
}

}  // namespace

TEST_SUITE("6.1 decoding") {
  TEST_CASE("the length penalty is ((5 + |Y|)/6)^alpha") {
    CHECK(length_penalty(0.6, 1) == 1);
    CHECK(length_penalty(0, 30) == 1);
    CHECK(length_penalty(1, 7) == doctest::Approx(2));
    CHECK(length_penalty(0.6, 7) == doctest::Approx(1.5157165665));  // 2^0.6
  }

  TEST_CASE("a beam as wide as the space ranks every output that there is, text and score") {
    // Two letters, at most four of them: 31 outputs. <bos> and <unk> are as probable as the
    // letters; the first is never written, and the second is impossible here.
    for (const double alpha : {0.0, 0.6, 10.0}) {
      for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
        CAPTURE(alpha);
        CAPTURE(seed);
        const auto random = random_logits(kWords, seed, 1.5);
        const auto logits = [&](const Ids& source, const Ids& target) {
          std::vector<Real> row = random(source, target);
          row[kUnknown] = -kInfinity;
          return row;
        };
        const StubModel model(kWords, logits);
        const Ids source{kA, kEos};
        const auto found = beam_search(model, packed(source), options(40, alpha, 40, 3))[0];
        std::vector<Translation> all;
        all_outputs(logits, source, {}, 0, 4, alpha, all);
        std::stable_sort(all.begin(), all.end(), better);
        REQUIRE(found.size() == 31);
        CHECK(agree(found, all, 31));
      }
    }
  }

  TEST_CASE("the beam finds what a beam without batches, shortcuts or an early end finds") {
    for (const Index beam : {1, 2, 3, 4, 7}) {
      for (const double alpha : {0.0, 0.6, 1.0}) {
        for (std::uint64_t seed = 1; seed <= 20; ++seed) {
          CAPTURE(beam);
          CAPTURE(alpha);
          CAPTURE(seed);
          const auto logits = random_logits(kWords, seed, 1.5);
          const StubModel model(kWords, logits);
          const PackedIds source = sources(5);
          const Index n_best = 1 + static_cast<Index>(seed) % beam;
          const auto found = beam_search(model, source, options(beam, alpha, n_best, 6));
          for (std::size_t b = 0; b < found.size(); ++b) {
            const Ids ids = sentence(source, b);
            const auto expected = search_plainly(logits, ids, static_cast<std::size_t>(beam), alpha,
                                                 ids.size() - 1 + 6);
            CHECK(agree(found[b], expected, static_cast<std::size_t>(n_best)));
          }
        }
      }
    }
  }

  TEST_CASE("finished outputs compare under the length penalty, and the first end is not the end") {
    // Ending at once is the most probable token. But A A <eos>, once begun, is sure.
    const StubModel model(kWords, [](const Ids&, const Ids& target) {
      if (target.empty()) return chosen({{kEos, 0.5}, {kA, 0.45}, {kB, 0.05}});
      return target.size() < 3 ? chosen({{kA, 1}}) : chosen({{kEos, 1}});
    });
    const auto best = [&](Index beam, double alpha) {
      return beam_search(model, one_source(), options(beam, alpha, 1, 50))[0][0];
    };
    CHECK(best(2, 0.6).tokens == Ids{kA, kA, kA});
    CHECK(best(2, 0.6).score == doctest::Approx(std::log(0.45) / std::pow(1.5, 0.6)));
    CHECK(best(2, 0).tokens.empty());
    CHECK(best(2, 0).score == doctest::Approx(std::log(0.5)));
    CHECK(best(1, 0.6).tokens.empty());
  }

  TEST_CASE("the search ends as soon as nothing better can be found, and no step sooner") {
    // Ends after one token with p = 0.6, and otherwise goes on with B for sure.
    const StubModel model(kWords, [](const Ids&, const Ids& target) {
      if (target.empty()) return chosen({{kA, 0.6}, {kB, 0.4}});
      if (target[0] == kA) return chosen({{kEos, 1}});
      return chosen({{kB, 1}});
    });
    // A <eos> has |Y| = 2; B B … B can have 1 + max_extra tokens.
    const auto steps = [&](double alpha, Index max_extra, Index n_best) {
      model.steps = 0;
      beam_search(model, one_source(), options(2, alpha, n_best, max_extra));
      return model.steps;
    };
    CHECK(steps(0, 50, 1) == 2);
    CHECK(steps(0, 50, 2) == 52);  // the second best is wanted too
    // ln 0.4/lp(L) exceeds ln 0.6/lp(2) from lp(L)/lp(2) > 1.794 on: for α = 1 from L = 8 on, the
    // longest with its <eos>.
    CHECK(steps(1, 5, 1) == 2);  // 12/7 = 1.71
    CHECK(steps(1, 6, 1) == 8);  // 13/7 = 1.86: goes on to the end
  }

  TEST_CASE("an output of the longest length pays for its end") {
    const StubModel model(kWords, [](const Ids&, const Ids&) {
      return chosen({{kA, 0.7}, {kB, 0.2}, {kEos, 0.1}});
    });
    const auto found = beam_search(model, one_source(), options(2, 0, 2, 2))[0];
    CHECK(found[0].tokens == Ids{kA, kA, kA});
    CHECK(found[0].score == doctest::Approx(3 * std::log(0.7) + std::log(0.1)));
    CHECK(model.steps == 4);
    // An empty sentence that may not become longer has an empty output.
    const PackedIds empty = packed({kEos});
    const auto nothing = beam_search(model, empty, options(2, 0.6, 1, 0));
    REQUIRE(nothing[0].size() == 1);
    CHECK(nothing[0][0].tokens.empty());
    CHECK(decode_greedily(model, empty, options(1, 0, 1, 0))[0].empty());
    // That is the only one, however many are asked for.
    CHECK(beam_search(model, empty, options(2, 0.6, 2, 0))[0].size() == 1);
  }

  TEST_CASE("a beam of one is greedy decoding") {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      for (const SmallModel& small : small_models()) {
        const Transformer model = random_model(small.config, seed);
        const PackedIds source = sources(6);
        const auto greedy = decode_greedily(model, source, options(1, 0, 1, 20));
        const auto beam = beam_search(model, source, options(1, 0.6, 1, 20));
        for (std::size_t b = 0; b < greedy.size(); ++b) CHECK(beam[b][0].tokens == greedy[b]);
      }
    }
    // Logits so close to each other that their log-probabilities are rounded to the same number.
    const Real small = static_cast<Real>(0.001);
    const StubModel close(kWords, [&](const Ids&, const Ids& target) {
      std::vector<Real> logits(kWords, -9);
      logits[kA] = small;
      logits[kB] = std::nextafter(small, Real{1});
      if (target.size() == 2) logits[kEos] = 9;
      return logits;
    });
    CHECK(decode_greedily(close, one_source())[0] == Ids{kB, kB});
    CHECK(beam_search(close, one_source(), options(1, 0.6, 1))[0][0].tokens == Ids{kB, kB});
  }

  TEST_CASE("a sentence's outputs do not depend on the other sentences or on the threads") {
    TransformerConfig config = small_config();
    const Transformer model = random_model(config, 3);
    const BeamOptions wide = options(4, 0.6, 3, 9);
    PackedIds many;
    for (int b = 0; b < 30; ++b) {
      Ids ids;
      for (int t = 0; t < b * 5 % 8; ++t) ids.push_back(3 + (b * 7 + t * 3) % 8);
      ids.push_back(kEos);
      many.append(ids);
    }
    const auto together = beam_search(model, many, wide);
    for (const int count : {1, 3}) {
      const WithThreads with(count);
      for (std::size_t b = 0; b < together.size(); ++b) {
        CHECK(same(beam_search(model, packed(sentence(many, b)), wide)[0], together[b]));
      }
    }
  }

  TEST_CASE("probabilities that are not numbers, and options out of range, are errors") {
    const StubModel nan(kWords, [](const Ids&, const Ids& target) {
      std::vector<Real> logits(kWords, 0);
      if (target.size() == 2) logits[kB] = std::numeric_limits<Real>::quiet_NaN();
      return logits;
    });
    CHECK_THROWS_WITH_AS(beam_search(nan, one_source()), doctest::Contains("not numbers"), Error);
    CHECK_THROWS_WITH_AS(decode_greedily(nan, one_source()), doctest::Contains("not numbers"),
                         Error);
    CHECK_THROWS_AS(beam_search(nan, one_source(), options(0, 0.6, 1)), Error);
    CHECK_THROWS_AS(beam_search(nan, one_source(), options(2, 0.6, 3)), Error);
    CHECK_THROWS_AS(beam_search(nan, one_source(), options(2, -0.1, 1)), Error);
    CHECK(beam_search(nan, PackedIds()).empty());
  }
}
