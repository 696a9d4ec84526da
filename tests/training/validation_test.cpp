#include "training/validation.h"

#include <doctest/doctest.h>

#include "decoding/translate.h"
#include "metrics/bleu.h"
#include "support/small_models.h"
#include "text/batch.h"

using namespace attn;
using namespace attn::test;

TEST_SUITE("validation") {
  TEST_CASE("a validation is the loss of its batches and the BLEU of its sample") {
    const Transformer model = random_model(small_config());
    ValidationSet set;
    set.tokenizer = Tokenizer({"a", "b", "c", "d", "e", "f", "g", "h"});
    const std::vector<TextPair> pairs{{"a b c d", "b c d e f"}, {"h g", "a a a a"}};
    std::vector<SentencePair> ids;
    for (const TextPair& pair : pairs) ids.push_back(encode_pair(set.tokenizer, pair));
    set.batches = batches_in_order(ids, 1);
    REQUIRE(set.batches.size() == 2);
    CHECK(!validate(model, set).bleu.has_value());

    // A sample of which the model gets the second sentence right.
    const auto translated = translate(model, set.tokenizer, {"a b c d", "h g"}, kGreedy);
    set.sample = {pairs[0], {"h g", translated[1][0].line}};
    const Validation found = validate(model, set);
    const LossSums first = model.loss(set.batches[0]), second = model.loss(set.batches[1]);
    CHECK(found.sums.loss == first.loss + second.loss);
    CHECK(found.sums.tokens == first.tokens + second.tokens);
    const BleuCounts counts = [&] {
      BleuCounts sum = bleu_counts(translated[0][0].line, {pairs[0].target});
      return sum += bleu_counts(translated[1][0].line, {translated[1][0].line});
    }();
    CHECK(found.bleu == bleu(counts).score);
    CHECK(*found.bleu > 0);
  }
}
