#include "lab/metrics/every_pair.h"

#include <string>

#include <doctest/doctest.h>
#include "support/small_models.h"
#include "support/strings.h"

using namespace attn;
using attn::test::contains;

namespace {

using Ids = std::vector<int>;

const Vocabulary kLetters({"a", "b", "c"});  // 3, 4, 5

}  // namespace

TEST_SUITE("every pair") {
  TEST_CASE("every pair is encoded, empty ones too, and words and unknown words are counted") {
    const Transformer model(attn::test::small_config());
    const std::vector<TextPair> lines{{"a x b", "c"}, {"", "y <eos>"}, {"c", ""}};
    const EncodedPairs all = encode_every_pair(lines, kLetters, model, "s", "t");
    REQUIRE(all.pairs.size() == 3);
    CHECK(all.pairs[0].source == Ids{3, 0, 4, 2});
    CHECK(all.pairs[0].target == Ids{1, 5, 2});
    CHECK(all.pairs[1].source == Ids{2});
    CHECK(all.pairs[1].target == Ids{1, 0, 0, 2});
    CHECK(all.pairs[2].target == Ids{1, 2});
    CHECK(all.words == 7);
    CHECK(all.unknown == 3);
  }

  TEST_CASE("of pairs that the model cannot read, the file and the line are named") {
    TransformerConfig config = attn::test::small_config();
    config.positions = Positions::learned;  // 8 of them
    const Transformer model(config);
    const auto error = [&](const std::vector<TextPair>& lines) -> std::string {
      try {
        encode_every_pair(lines, kLetters, model, "s", "t");
      } catch (const Error& thrown) {
        return thrown.what();
      }
      return "";
    };
    CHECK(error({{"a a a a a a a", "a a a a a a a"}}) == "");
    CHECK(contains(error({{"a", "a"}, {"a a a a a a a a", "a"}}), "s, line 2: 8 tokens"));
    CHECK(contains(error({{"a", "a a a a a a a a"}}), "t, line 1: 8 tokens"));
  }
}
