// A model that does what the test says, then a Transformer against the library.
#include "decoding/greedy.h"
#include "support/checks.h"
#include "support/small_models.h"
#include "support/stub_model.h"

static const exercises::Exercise greedy_exercise("6.1-greedy", [](exercises::Checks& check) {
  using exercises::show;
  const auto same = [&](const std::vector<int>& got, const std::vector<int>& want,
                        const std::string& hint) {
    const auto shown = [](const std::vector<int>& ids) {
      return show(std::vector<Index>(ids.begin(), ids.end()));
    };
    check.that(got == want,
               "the output is " + shown(got) + ", should be " + shown(want) + ". " + hint);
  };
  const attn::PackedIds source = attn::packed({5, 6, 7, 2});
  // Copies its source: after n tokens, source token n is by far the most probable.
  const attn::test::StubModel copier(
      9, [](const attn::test::Ids& from, const attn::test::Ids& so_far) {
        std::vector<attn::Real> logits(9, -2e9);
        logits[so_far.size() < from.size() ? from[so_far.size()] : kEos] = -1e9;
        return logits;
      });
  check.claim("a model that copies 5 6 7 <eos>");
  same(decode_one(copier, source, 10), {5, 6, 7},
       "<eos> ends the output and is not part of it. (All logits are far below 0.)");
  check.claim("at most 2 tokens");
  same(decode_one(copier, source, 2), {5, 6}, "");
  check.claim("no tokens at all");
  same(decode_one(copier, source, 0), {}, "");
  check.claim("the model reads <bos> first, then its own output, which never has <bos>");
  std::vector<attn::test::Ids> seen;
  const attn::test::StubModel listener(9,
                                       [&](const attn::test::Ids&, const attn::test::Ids& so_far) {
                                         seen.push_back(so_far);
                                         std::vector<attn::Real> logits(9, 0);
                                         if (so_far.empty() || so_far.back() != kBos)
                                           logits[kBos] = 2;
                                         logits[so_far.size() > 1 ? 2 : so_far.empty() ? 8 : 0] = 1;
                                         return logits;
                                       });
  same(decode_one(listener, source, 10), {8, 0},
       "Skip <bos>, the most probable each time. The next best are 8, 0 and <eos>.");
  check.that(seen.size() == 3 && seen[2] == attn::test::Ids{8, 0},
             "before the third token it had read " +
                 std::to_string(seen.empty() ? 0 : seen.back().size()) +
                 " tokens after <bos>, and should have read 8 and 0. Give it each token once.");
  check.claim("of equal logits, the first");
  const attn::test::StubModel undecided(9,
                                        [](const attn::test::Ids&, const attn::test::Ids& so_far) {
                                          std::vector<attn::Real> logits(9, 0);
                                          logits[so_far.empty() ? 5 : 2] = 1;
                                          logits[4] = so_far.empty() ? 1 - 1e-12 : 0;
                                          logits[7] = so_far.empty();
                                          return logits;
                                        });
  same(decode_one(undecided, source, 10), {5},
       "5 and 7 have the same logit, and 4 has a smaller one.");
  check.claim("random Transformers, as the library decodes");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const attn::Transformer model = attn::test::random_model(attn::test::small_config(), seed);
    // 3 words and 5 more
    same(decode_one(model, source, 8), attn::decode_greedily(model, source, {1, 0, 1, 5})[0],
         "kBos is read first, and only <eos> or `longest` ends it.");
  }
});
