#include "lab/language/generate.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/check.h"
#include "decoding/next_token.h"
#include "lab/support/small_decoder_only.h"
#include "support/random_tensors.h"
#include "support/stub_model.h"
#include "text/vocabulary.h"

using namespace attn;
using namespace attn::test;

namespace {

// A model of one sequence, whose logits are a function of all that it has read of it: the source
// and then every token. Keeps what it has read each time.
class SequenceStub final : public StubModel {
 public:
  using Logits = std::function<std::vector<Real>(const Ids& read)>;
  SequenceStub(Index vocabulary, Logits logits)
      : StubModel(vocabulary, {}), logits_(std::move(logits)) {}

  std::unique_ptr<DecodingState> start_decoding(const PackedIds& source) const override {
    REQUIRE(source.sentences() == 1);
    return std::make_unique<State>(*this, source.ids);
  }

  mutable std::vector<Ids> reads;  // what the model had read at each step

 private:
  struct State final : DecodingState {
    const SequenceStub& model;
    Ids read;

    State(const SequenceStub& its_model, const Ids& text) : model(its_model), read(text) {}
    Tensor next_logits(const Ids& tokens) override {
      REQUIRE(tokens.size() == 1);
      read.push_back(tokens[0]);
      model.reads.push_back(read);
      const std::vector<Real> logits = model.logits_(read);
      Tensor result = Tensor::uninitialised({1, model.facts.target_vocabulary});
      std::copy(logits.begin(), logits.end(), result.data());
      return result;
    }
    void reorder(const std::vector<Index>&) override {}
  };
  Logits logits_;
};

Ids written(const SequenceModel& model, const Ids& text, const GenerateOptions& options) {
  Ids tokens;
  generate(model, text, options, [&](int token) { tokens.push_back(token); });
  return tokens;
}

GenerateOptions with(Index context, Index tokens) {
  GenerateOptions options;
  options.context = context;
  options.tokens = tokens;
  return options;
}

// <unk> and <bos> are by far the most probable; of the others, tokens 3 to 7 have these shares.
const std::vector<double> kShares{0.25, 0.0625, 0.0625, 0.5, 0.125};
std::vector<Real> memoryless(const Ids&) {
  std::vector<Real> logits{9, 9, -std::numeric_limits<Real>::infinity()};
  for (const double p : kShares) logits.push_back(static_cast<Real>(std::log(p)));
  return logits;
}

// Random logits of 9 tokens, a function of all that was read.
std::vector<Real> of_everything(const Ids& read) {
  return random_logits(9, 5, 2)(read, {});
}

}  // namespace

TEST_SUITE("6.1 sampling") {
  TEST_CASE("tokens are written as often as the distribution says, and independently") {
    const Ids tokens = written(SequenceStub(8, memoryless), {kEos}, with(4, 60000));
    REQUIRE(tokens.size() == 60000);
    // Pairs of neighbours that have no token in common with another pair: 5² kinds, 30,000 pairs.
    std::map<std::pair<int, int>, double> counts;
    for (std::size_t i = 1; i < tokens.size(); i += 2) ++counts[{tokens[i - 1], tokens[i]}];
    CHECK(counts.size() == 25);
    double chi_square = 0;
    for (const auto& [pair, count] : counts) {
      const double expected = 30000 * kShares[pair.first - 3] * kShares[pair.second - 3];
      chi_square += (count - expected) * (count - expected) / expected;
    }
    // More than this has a probability of 1e-6, with 24 degrees of freedom.
    CHECK(chi_square < 72.23);
  }

  TEST_CASE("the same seed writes the same text, in parts as in one go; another one does not") {
    const SequenceStub model(9, of_everything);
    GenerateOptions options = with(6, 40);
    const Ids text = written(model, {kEos, 4}, options);
    CHECK(written(model, {kEos, 4}, options) == text);
    options.tokens = 17;
    CHECK(written(model, {kEos, 4}, options) == Ids(text.begin(), text.begin() + 17));
    options.tokens = 40;
    options.seed = 2;
    CHECK(written(model, {kEos, 4}, options) != text);
    for (const int token : text) CHECK(token >= kEos);
    CHECK_THROWS_WITH_AS(written(model, {}, with(4, 1)), "there is no text to continue", Error);
  }

  TEST_CASE("a model reads its context at most: once it is full, its second half is read again") {
    for (const Index context : {2, 3, 4, 7, 8}) {
      for (const std::size_t prompt : {1u, 3u, 4u, 5u, 20u}) {
        CAPTURE(context);
        CAPTURE(prompt);
        const SequenceStub model(9, of_everything);
        Ids all;
        for (std::size_t i = 0; i < prompt; ++i) all.push_back(static_cast<int>(2 + i % 7));
        const Ids tokens = written(model, all, with(context, 30));
        REQUIRE(model.reads.size() == 30);
        // Independently: where in the text what is read begins.
        std::size_t begin = prompt > static_cast<std::size_t>(context)
                                ? prompt - static_cast<std::size_t>(context)
                                : 0;
        for (std::size_t i = 0; i < 30; ++i) {
          if (all.size() - begin > static_cast<std::size_t>(context)) {
            begin += static_cast<std::size_t>(context / 2);  // as scored_windows' windows begin
          }
          CHECK(model.reads[i] == Ids(all.begin() + static_cast<std::ptrdiff_t>(begin), all.end()));
          all.push_back(tokens[i]);
        }
      }
    }
  }

  TEST_CASE("past its context, what a model writes is what a reading without a cache expects") {
    for (SmallDecoderOnly& small : small_decoder_only_models(all_small_models())) {
      CAPTURE(small.name);
      small.config.max_positions = 16;
      const DecoderOnly model = random_model(small.config);
      GenerateOptions options = with(16, 70);
      options.sampling.temperature = 0;
      const Ids tokens = written(model, {kEos, 4}, options);
      Ids window{kEos, 4};
      for (const int token : tokens) {
        if (window.size() > 16) window.erase(window.begin(), window.begin() + 8);
        const auto state = model.start_decoding(packed({window.begin(), window.end() - 1}));
        Tensor logits = state->next_logits({window.back()});
        forbid_special_tokens(logits);
        REQUIRE(token == top_tokens(1, logits.cols(), logits.data()).front());
        window.push_back(token);
      }
    }
  }
}
