// Steps by hand, then whole searches against the library.
#include "decoding/beam_search.h"
#include "kernels/kernels.h"
#include "support/checks.h"
#include "support/stub_model.h"

static const exercises::Exercise beam_exercise("6.1-beam", [](exercises::Checks& check) {
  using exercises::show;
  const auto ids = [](const std::vector<int>& tokens) {
    return show(std::vector<Index>(tokens.begin(), tokens.end()));
  };
  const auto is_live = [&](const std::vector<Beginning>& live, std::size_t i,
                           const std::vector<int>& tokens, double log_p, const std::string& hint) {
    check.that(live.size() > i,
               "there are only " + std::to_string(live.size()) + " live beginnings. " + hint);
    check.that(live[i].tokens == tokens, "beginning " + std::to_string(i) + " is " +
                                             ids(live[i].tokens) + ", should be " + ids(tokens) +
                                             ". " + hint);
    check.number("its ln P", live[i].log_p, log_p, hint);
  };
  const auto logs = [](Tensor p) {
    for (Index i = 0; i < p.elements(); ++i) p[i] = std::log(p[i]);
    return p;
  };

  // Tokens 3 and 4 are words.
  std::vector<Beginning> live = {{{}, 0}};
  std::vector<FinishedOutput> finished;
  check.claim("the two best continuations of the empty beginning");
  std::vector<Index> parents = beam_step(
      2, 0.6, logs(exercises::tensor_of({1, 5}, {0.1, 0.1, 0.1, 0.3, 0.4})), live, finished);
  check.that(live.size() == 2, "there are " + std::to_string(live.size()) + " of them.");
  is_live(live, 0, {4}, std::log(0.4), "The best first.");
  is_live(live, 1, {3}, std::log(0.3), "");
  check.that(parents == std::vector<Index>{0, 0},
             "the parents are " + show(parents) + ": both continue number 0.");

  check.claim("ln P adds up, and both may continue the same beginning");
  // After token 4: 0.4 · 0.2 at most. After token 3: 0.3 · 0.5 and 0.3 · 0.4.
  parents = beam_step(
      2, 0.6,
      logs(exercises::tensor_of({2, 5}, {0.2, 0.2, 0.2, 0.2, 0.2, 0.03, 0.03, 0.04, 0.4, 0.5})),
      live, finished);
  is_live(live, 0, {3, 4}, std::log(0.3) + std::log(0.5), "0.4 · 0.2 is less than 0.3 · 0.4.");
  is_live(live, 1, {3, 3}, std::log(0.3) + std::log(0.4), "");
  check.that(parents == std::vector<Index>{1, 1},
             "the parents are " + show(parents) + ": both continue number 1.");
  check.that(finished.empty(), "nothing was finished so far.");

  check.claim("an output that ends is finished, and takes a place in the beam");
  parents = beam_step(
      2, 0.6,
      logs(exercises::tensor_of({2, 5}, {0.1, 0.1, 0.5, 0.2, 0.1, 0.1, 0.1, 0.1, 0.6, 0.1})), live,
      finished);
  check.that(live.size() == 1 && finished.size() == 1,
             "there are " + std::to_string(live.size()) + " live and " +
                 std::to_string(finished.size()) +
                 " finished ones, should be one of each: a beam of 2 keeps 2 continuations.");
  is_live(live, 0, {3, 3, 3}, std::log(0.3) + std::log(0.4) + std::log(0.6), "");
  check.that(parents == std::vector<Index>{1},
             "the parents are " + show(parents) + ", should be [1].");
  check.that(finished[0].tokens == std::vector<int>{3, 4},
             "finished is " + ids(finished[0].tokens) + ", should be [3, 4], without kEos.");
  check.number("its score", finished[0].score,
               (std::log(0.3) + 2 * std::log(0.5)) / std::pow(8.0 / 6, 0.6),
               "|Y| is 3: two words and kEos. 8/6 is a third more than 1.");

  check.claim("the beam of the next step is as wide as before");
  beam_step(2, 0.6, logs(exercises::tensor_of({1, 5}, {0.1, 0.1, 0.1, 0.3, 0.4})), live, finished);
  check.that(live.size() == 2 && finished.size() == 1,
             "there are " + std::to_string(live.size()) + " live and " +
                 std::to_string(finished.size()) +
                 " finished ones, should be 2 and 1: what finished in an earlier step is no longer "
                 "in the beam.");

  check.claim("ties go to the earlier beginning, then to the smaller token");
  live = {{{3}, -1}, {{4}, -1}};
  finished.clear();
  // All 20 of the first beginning, and 4 of the second.
  parents = beam_step(24, 0, logs(exercises::tensor_of({2, 20}, std::vector<double>(40, 0.05))),
                      live, finished);
  std::size_t i = 0;
  for (int h = 0; h < 2; ++h) {
    for (int token = 0; token < (h == 0 ? 20 : 4); ++token) {
      if (token == kEos) continue;
      is_live(live, i, {3 + h, token}, std::log(0.05) - 1,
              "By beginning, then by token; std::sort may exchange equal ones.");
      check.that(parents.size() > i && parents[i] == h,
                 "the parents are " + show(parents) + ": number " + std::to_string(i) +
                     " should continue " + std::to_string(h) + ".");
      ++i;
    }
  }
  check.that(live.size() == 22 && finished.size() == 2,
             "there are " + std::to_string(live.size()) + " live and " +
                 std::to_string(finished.size()) + " finished ones, should be 22 and 2.");

  check.claim("a beam wider than there are continuations keeps all");
  live = {{{}, -1000}};
  beam_step(100, 0, logs(exercises::tensor_of({1, 4}, {0.1, 0.2, 0.3, 0.4})), live, finished);
  check.that(live.size() == 3, "there are " + std::to_string(live.size()) + ", should be 3.");
  is_live(live, 0, {3}, std::log(0.4) - 1000, "Compare ln P, not P: e^-1000 is 0.");
  is_live(live, 1, {1}, std::log(0.2) - 1000, "");
  is_live(live, 2, {0}, std::log(0.1) - 1000, "");

  check.claim("whole searches find what the library finds");
  constexpr Index kLongest = 6, kVocabulary = 5;
  const attn::PackedIds source = attn::packed({3, kEos});
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Index beam = 1 + static_cast<Index>(seed % 4);
    const double alpha = seed % 2 == 0 ? 0.6 : 0;
    const auto logits = attn::test::random_logits(kVocabulary, seed, 1.5);
    live = {{{}, 0}};
    finished.clear();
    // <bos> is never written, and <eos> comes after an output of the longest length.
    for (Index length = 0; length <= kLongest && !live.empty(); ++length) {
      Tensor next = Tensor::zeros({static_cast<Index>(live.size()), kVocabulary});
      for (Index h = 0; h < next.rows(); ++h) {
        const auto row = logits({3, kEos}, live[h].tokens);
        std::copy(row.begin(), row.end(), next.row(h));
        attn::kernels().log_softmax_row(kVocabulary, next.row(h));
        for (int token = 0; token < kVocabulary; ++token) {
          const bool can_be = token != attn::kBos && (length < kLongest || token == kEos);
          if (!can_be) next(h, token) = -std::numeric_limits<attn::Real>::infinity();
        }
      }
      beam_step(beam, alpha, next, live, finished);
    }
    check.that(!finished.empty(), "no output was found.");
    const auto best = std::max_element(
        finished.begin(), finished.end(),
        [](const FinishedOutput& a, const FinishedOutput& b) { return a.score < b.score; });
    const Index max_extra = kLongest - 1;  // the source has one word
    const attn::test::StubModel model(kVocabulary, logits);
    const auto library = attn::beam_search(model, source, {beam, alpha, 1, max_extra})[0][0];
    check.that(best->tokens == library.tokens, "the best output is " + ids(best->tokens) +
                                                   ", the library's " + ids(library.tokens) + ".");
    check.number("its score", best->score, library.score, "");
  }
});
