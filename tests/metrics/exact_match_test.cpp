#include "metrics/exact_match.h"

#include <doctest/doctest.h>

#include "decoding/greedy.h"
#include "support/small_models.h"
#include "text/batch.h"

using namespace attn;
using namespace attn::test;

namespace {

// Greedy decoding of one sentence alone.
std::string output_of(const Transformer& model, const std::string& source) {
  const PackedIds ids = packed(encode_source(letters(), source));
  return letters().decode(decode_greedily(model, ids).front());
}

}  // namespace

TEST_SUITE("exact match") {
  TEST_CASE("an output counts if it is the target, word by word") {
    const Transformer model = random_model(small_config());
    const std::string right = output_of(model, "a b c"), other = output_of(model, "h h");
    REQUIRE(!right.empty());
    const ExactMatches result = exact_matches(model, letters(),
                                              {{"a b c", right},
                                               {"h h", other + " a"},
                                               {" a  b\tc ", "  " + right + " "},
                                               {"a b c", ""}});
    CHECK(result.outputs == std::vector<std::string>{right, other, right, right});
    CHECK(result.matches == std::vector<bool>{true, false, true, false});
    CHECK(result.count == 2);
    // An empty source has an empty output.
    const ExactMatches empty = exact_matches(model, letters(), {{"", ""}, {" ", "a"}, {"a", "a"}});
    CHECK(empty.outputs == std::vector<std::string>{"", "", output_of(model, "a")});
    CHECK(empty.matches[0]);
    CHECK(!empty.matches[1]);
    CHECK(exact_matches(model, letters(), {}).count == 0);
  }

  TEST_CASE("an unknown word of a target is not matched by <unk>") {
    // A model that puts out <unk> and then ends: every logit is 0, and the first is the largest.
    TransformerConfig config = small_config();
    Transformer model(config);
    model.visit_parameters([](const std::string&, Parameter& p) { p.value.fill(0); });
    const std::string output = output_of(model, "a");
    REQUIRE(output.substr(0, 5) == "<unk>");
    std::string unknown = output;
    for (std::size_t at; (at = unknown.find("<unk>")) != unknown.npos;) {
      unknown.replace(at, 5, "zebra");
    }
    CHECK(exact_matches(model, letters(), {{"a", unknown}}).count == 0);
  }

  TEST_CASE("more sentences than a batch holds have the outputs of each alone") {
    const Transformer model = random_model(small_config());
    std::vector<TextPair> pairs;
    const std::string sources[] = {"a", "b c", "d e f", "", "g h a b c d"};
    for (std::size_t i = 0; i < 2000; ++i) pairs.push_back({sources[i % 5], "a"});
    const ExactMatches result = exact_matches(model, letters(), pairs);
    REQUIRE(result.outputs.size() == 2000);
    for (std::size_t i = 0; i < 2000; ++i) {
      const std::string expected = i % 5 == 3 ? "" : result.outputs[i % 5];
      if (result.outputs[i] != expected) FAIL("output ", i);
    }
    CHECK(result.outputs[4] == output_of(model, sources[4]));
  }

  TEST_CASE("an eighth of a batch is decoded at once, counting every hypothesis") {
    const Transformer model = random_model(small_config());
    const std::vector<TextPair> pairs(300, {"a b c", "a"});  // of four tokens each
    for (const Index beam : {1, 4}) {
      CAPTURE(beam);
      BeamOptions options;
      options.beam = beam;
      options.max_extra = 1;
      std::vector<Index> found = {0};
      exact_matches(model, letters(), pairs, options, [&](Index count) {
        if (count > found.back()) found.push_back(count);
      });
      REQUIRE(found.back() == 300);
      Index most = 0;
      for (std::size_t i = 1; i < found.size(); ++i) {
        most = std::max(most, found[i] - found[i - 1]);
      }
      CHECK(most * 4 * beam == kTokensAtOnce / 8);
    }
  }
}
