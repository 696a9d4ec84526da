// Heads that look at one position, whatever is there.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "app/train_warnings.h"
#include "support/small_models.h"
#include "support/stub_model.h"

using namespace attn;
using namespace attn::app;
using namespace attn::test;

namespace {

// Each query i of a sentence of n tokens gives this weight to key at(i, n), and shares the rest
// among the other keys.
using Key = std::function<Index(Index i, Index n)>;
struct FixedLook {
  Key at;
  double weight = 1;
};

// An attention with these heads, which looks at a source sentence whatever is in it.
struct LookingModel : StubModel {
  std::vector<FixedLook> heads;
  bool causal;

  LookingModel(std::vector<FixedLook> heads_, bool causal_)
      : StubModel(11, nullptr), heads(std::move(heads_)), causal(causal_) {}

  LossSums loss(const Batch& batch, const Pass& pass) const override {
    const Offsets& offsets = batch.source.offsets;
    const Pass stack = pass.in(causal ? "decoder" : "encoder"), layer = stack.in(Index{0});
    const Pass attention = layer.in("self_attention"), all = attention.in("heads");
    for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
      for (std::size_t h = 0; h < heads.size(); ++h) {
        show(heads[h], offsets[b + 1] - offsets[b], all.in(static_cast<Index>(h)));
      }
    }
    return {};
  }

  void show(const FixedLook& looks, Index n, const Pass& head) const {
    Tensor P = Tensor::zeros({n, n});
    for (Index i = 0; i < n; ++i) {
      const Index keys = causal ? i + 1 : n, key = std::min(looks.at(i, n), keys - 1);
      const double rest = (1 - looks.weight) / static_cast<double>(std::max<Index>(keys - 1, 1));
      for (Index j = 0; j < keys; ++j) P(i, j) = static_cast<Real>(j == key ? looks.weight : rest);
    }
    head.see("P", P);
  }
};

// Sentences of these lengths.
Batch sentences(const std::vector<Index>& lengths) {
  Batch batch;
  for (const Index n : lengths) batch.append(random_ids(static_cast<std::uint64_t>(n), n), {1, 2});
  return batch;
}

std::vector<bool> saturated(const std::vector<FixedLook>& heads, bool causal,
                            const std::vector<Batch>& batches) {
  const HeadsSeen seen = heads_seen(LookingModel(heads, causal), batches);
  CHECK(seen.heads == static_cast<Index>(heads.size()));
  std::vector<bool> result;
  for (std::size_t h = 0; h < heads.size(); ++h) {
    const std::string name = text(causal ? "decoder" : "encoder", ".0.self_attention.heads.", h);
    result.push_back(std::count(seen.saturated.begin(), seen.saturated.end(), name) == 1);
  }
  CHECK(std::count(result.begin(), result.end(), true) ==
        static_cast<std::ptrdiff_t>(seen.saturated.size()));
  return result;
}

const Key kFirst = [](Index, Index) { return Index{0}; };
const Key kThird = [](Index, Index) { return Index{2}; };
const Key kItself = [](Index i, Index) { return i; };
const Key kBefore = [](Index i, Index) { return std::max<Index>(i - 1, 0); };
const Key kEnd = [](Index, Index n) { return n - 1; };
// A word, which is elsewhere in each sentence.
const Key kWord = [](Index, Index n) { return n * n % 7 % n; };

}  // namespace

TEST_SUITE("G saturated heads") {
  TEST_CASE("a head is saturated if its position is the same for all, not if it is merely sharp") {
    const std::vector<Batch> batches{sentences({4, 9, 6}), sentences({12, 5, 1})};
    const std::vector<FixedLook> heads{{kFirst}, {kThird}, {kItself}, {kBefore}, {kEnd}, {kWord}};
    CHECK(saturated(heads, false, batches) ==
          std::vector<bool>{true, true, false, false, false, false});
    // Behind a causal mask, query 1 cannot look at key 2, so the third is not everybody's.
    CHECK(saturated(heads, true, batches) ==
          std::vector<bool>{true, false, false, false, false, false});
  }

  TEST_CASE("a weight of 0.99 decides, by 99 of 100 queries, and a single key is no decision") {
    const std::vector<Batch> batches{sentences({40, 60})};
    CHECK(saturated({{kFirst, 0.9901}, {kFirst, 0.9899}}, false, batches) ==
          std::vector<bool>{true, false});
    // Of 100 queries, one or two look elsewhere: the last ones of the first sentence.
    const auto except = [](Index last) {
      return Key([=](Index i, Index n) { return Index{n == 40 && i >= n - last ? 1 : 0}; });
    };
    CHECK(saturated({{except(1)}, {except(2)}}, false, batches) == std::vector<bool>{true, false});
    // The first query of each sentence has one key, and does not count: 98 of 99 are too few.
    CHECK(saturated({{except(0)}, {except(1)}}, true, {sentences({40, 61})}) ==
          std::vector<bool>{true, false});
    CHECK(saturated({{kFirst}}, true, {sentences({1, 1, 1})}) == std::vector<bool>{false});
    CHECK(heads_seen(LookingModel({{kFirst}}, false), {}).heads == 0);
  }

  TEST_CASE("a Transformer's saturated head is found in the layer in which it is") {
    TransformerConfig config = small_config();
    config.positions = Positions::learned;
    config.attention_bias = true;
    Transformer model = random_model(config);
    const HeadsSeen before = heads_seen(model, {small_batch()});
    CHECK(before.heads == 3 * 3 * 2);
    CHECK(before.saturated.empty());

    // Position 0 is far from all others in the first component of what the encoder reads. That is
    // all that key 1 sees and query 1 asks for, and the other heads look everywhere.
    model.source_positions.weight.value(0, 0) = 50;
    MultiHeadAttention& attention = model.encoder[0].self_attention;
    attention.query.weight.value.fill(0);
    attention.query.bias.value.fill(0);
    attention.key.weight.value.fill(0);
    attention.query.bias.value[config.d_k] = 10;
    attention.key.weight.value(0, config.d_k) = 1;
    CHECK(heads_seen(model, {small_batch()}).saturated ==
          std::vector<std::string>{"encoder.0.self_attention.heads.1"});
  }
}
