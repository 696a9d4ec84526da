#include "lab/benchmark/cost.h"

#include "lab/language/decoder_only.h"

#include <doctest/doctest.h>

#include <map>

namespace attn::test {

TEST_SUITE_BEGIN("5.2 cost");

namespace {

TransformerConfig config_of(Index layers, Index d_model, Index d_ff, Index heads, Index d_k,
                            Index d_v, Index V) {
  TransformerConfig config;
  config.layers = layers;
  config.d_model = d_model;
  config.d_ff = d_ff;
  config.heads = heads;
  config.d_k = d_k;
  config.d_v = d_v;
  config.source_vocabulary = config.target_vocabulary = V;
  return config;
}

// The offsets of sentences of these lengths.
Offsets offsets_of(const std::vector<Index>& lengths) {
  Offsets offsets{0};
  for (const Index length : lengths) offsets.push_back(offsets.back() + length);
  return offsets;
}

}  // namespace

TEST_CASE("the operations of a step are those counted by hand") {
  // Each weight of a matrix takes 6 operations for each token that passes it: 2 forward, 4
  // backward.
  //   encoder layer, 6 tokens: 4 · 16² + 2 · 16 · 32 = 2048 weights              12,288
  //   decoder layer, 8 tokens: 6 · 16² + 2 · 16 · 32 = 2560, and 20 · 16 = 320   23,040
  //   keys and values of the encoder's 6 tokens: 2 · 16² = 512                    3,072
  // Attention takes 2 · 16 for each query and key, twice forward and four times backward:
  //   2 sentences of 3² + 4² + 4 · 3 = 37 pairs                                  74 · 192
  const double by_hand = 6 * (12288 + 23040 + 3072) + 74 * 192;
  const TransformerConfig config = config_of(1, 16, 32, 2, 8, 8, 20);
  CHECK(operations(step_products(layer_kinds(config, offsets_of({3, 3}), offsets_of({4, 4})))) ==
        by_hand);
}

TEST_CASE("a decoder-only model's step reads every token, and predicts the target's alone or all") {
  // As above, of one stack: 4 · 16² + 2 · 16 · 32 = 2048 weights for each of 14 tokens, and
  // 20 · 16 = 320 for each that is predicted; 2 sequences of 7² pairs.
  DecoderOnlyConfig config{config_of(1, 16, 32, 2, 8, 8, 20)};
  const auto by_hand = [](double predicted) {
    return 6 * (14 * 2048 + predicted * 320) + 2 * 49 * 192;
  };
  const Offsets x = offsets_of({7, 7});
  CHECK(operations(step_products(layer_kinds(config, x, 8))) == by_hand(8));
  CHECK(operations(step_products(layer_kinds(config, x, 14))) == by_hand(14));

  // The layers' operations are the products', and step_cost finds both from a batch.
  Batch batch;
  batch.append({5, 3, 2}, {1, 4, 9, 4, 2});
  batch.append({5, 6, 2}, {1, 4, 9, 5, 2});
  for (const bool all : {false, true}) {
    config.loss_on_all = all;
    const std::vector<LayerKind> kinds = layer_kinds(DecoderOnly(config), batch);
    CHECK(operations(step_products(kinds)) == by_hand(all ? 14 : 8));
    double layers = 0;
    for (const LayerKind& kind : kinds) {
      layers += static_cast<double>(kind.count) *
                (kind.cost.forward.operations + kind.cost.backward.operations);
    }
    CHECK(layers == by_hand(all ? 14 : 8));
    REQUIRE(kinds[2].softmax_of.has_value());
    CHECK(kinds[2].softmax_of->x == x);
    CHECK(kinds[2].softmax_of->mask == Mask::causal);
  }
}

TEST_CASE("heads may have any width, sentences any length, and backward is twice forward") {
  TransformerConfig config = config_of(3, 10, 7, 2, 3, 5, 11);
  const Offsets source = offsets_of({2, 4, 1}), target = offsets_of({1, 6, 3});
  // 7 source tokens, 10 target tokens; Σ m n: 21 in the encoder, 46 in the decoder, 29 between.
  const double qk = 10 * 2 * 3, v = 10 * 2 * 5;  // weights of a projection
  const double weights = 3 * (7 * (2 * qk + 2 * v) + 10 * (2 * qk + 2 * v) + 10 * (qk + v) +
                              7 * (qk + v) + (7 + 10) * 2 * 10 * 7) +
                         10 * 10 * 11;
  const double pairs = 3 * (21 + 46 + 29) * 2 * (3 + 5);
  for (const bool tied : {true, false}) {
    config.tie_embeddings = tied;
    const std::vector<Product> products = step_products(layer_kinds(config, source, target));
    CHECK(operations(products, false) == 2 * weights + 2 * pairs);
    CHECK(operations(products, true) == 2 * operations(products, false));
  }
}

TEST_CASE("the products of the base model have the shapes of its layers") {
  TransformerConfig config = preset("base");
  config.source_vocabulary = config.target_vocabulary = 37000;
  const Offsets offsets = offsets_of(std::vector<Index>(32, 32));
  const auto count = [&](Product::Kind kind, Index m, Index n, Index k) {
    Index sum = 0;
    for (const Product& p : step_products(layer_kinds(config, offsets, offsets))) {
      if (p.kind == kind && p.m == m && p.n == n && p.k == k) sum += p.count;
    }
    return sum;
  };
  using Kind = Product::Kind;
  CHECK(count(Kind::NN, 1024, 512, 512) == 18 * 4);    // four projections in each attention
  CHECK(count(Kind::TN, 512, 512, 1024) == 18 * 4);    // dW of each
  CHECK(count(Kind::NN, 1024, 2048, 512) == 12);       // W₁ of twelve feed-forward networks
  CHECK(count(Kind::NT, 1024, 2048, 512) == 12);       // dx through W₂
  CHECK(count(Kind::NT, 1024, 37000, 512) == 1);       // logits, with E
  CHECK(count(Kind::TN, 37000, 512, 1024) == 1);       // dE
  CHECK(count(Kind::NT, 32, 32, 64) == 18 * 256 * 2);  // S = Q Kᵀ and dP = dO Vᵀ, 256 heads
}

TEST_CASE("the bytes of layers are those of their tensors, counted by hand") {
  // d = 4, d_ff = 5, h = 2, d_k = d_v = 2, V = 11; sentences of 2 and 3 tokens, targets of 1 and 4.
  const TransformerConfig config = config_of(1, 4, 5, 2, 2, 2, 11);
  const Offsets x = offsets_of({2, 3}), y = offsets_of({1, 4});
  std::map<std::string, LayerCost> costs;  // of the three softmaxes, the last
  for (const LayerKind& kind : layer_kinds(config, x, y)) costs[kind.name] = kind.cost;
  const auto forward = [&](const char* kind) {
    return costs.at(kind).forward.bytes / sizeof(Real);
  };
  const auto backward = [&](const char* kind) {
    return costs.at(kind).backward.bytes / sizeof(Real);
  };
  // x, Q, K, V, heads and output [5, 4], P of 2 heads [2, 2] and [3, 3]; four weights [4, 4].
  CHECK(forward("encoder self-attention") == 6 * 20 + 2 * 13 + 64);
  CHECK(backward("encoder self-attention") == 2 * (6 * 20 + 2 * 13) + 3 * 64);
  // A memory [5, 4] more, and P of [1, 2] and [4, 3].
  CHECK(forward("encoder-decoder attention") == 7 * 20 + 2 * 14 + 64);
  CHECK(forward("softmax") == 2 * 2 * 14);
  // x and y [5, 4], hidden layer [5, 5], two weights [4, 5].
  CHECK(forward("encoder feed-forward") == 2 * 20 + 25 + 40);
  CHECK(backward("encoder feed-forward") == 3 * 20 + 2 * 25 + 3 * 40);
  CHECK(forward("output projection and loss") == 20 + 44 + 55);
  CHECK(forward("encoder add & norm") == 4 * 20);
  CHECK(forward("Adam") == 7 * static_cast<double>(parameter_count(config)));
}

TEST_CASE("the kinds of layer of a step have all its operations") {
  for (const char* name : {"tiny", "base"}) {
    TransformerConfig config = preset(name);
    config.source_vocabulary = config.target_vocabulary = 100;
    const Offsets source = offsets_of({3, 5}), target = offsets_of({4, 2});
    double forward = 0, backward = 0;
    for (const LayerKind& kind : layer_kinds(config, source, target)) {
      const double count = static_cast<double>(kind.count);
      forward += count * kind.cost.forward.operations;
      backward += count * kind.cost.backward.operations;
    }
    const std::vector<Product> products = step_products(layer_kinds(config, source, target));
    CHECK(forward == operations(products, false));
    CHECK(backward == operations(products, true));
  }
}

TEST_CASE("there is no dropout without dropout, and a last norm with pre-norm only") {
  TransformerConfig config = config_of(3, 4, 5, 2, 2, 2, 11);
  const auto counts = [&] {
    std::map<std::string, Index> result;
    for (const LayerKind& kind : layer_kinds(config, {0, 2}, {0, 3}))
      result[kind.name] = kind.count;
    return result;
  };
  CHECK(counts().at("encoder dropout") == 2 * 3 + 1);
  CHECK(counts().at("decoder dropout") == 3 * 3 + 1);
  CHECK(counts().at("decoder add & norm") == 3 * 3);
  CHECK(counts().count("encoder norm") == 0);
  config.dropout = 0;
  config.norm = NormPlacement::pre;
  CHECK(counts().count("encoder dropout") == 0);
  CHECK(counts().at("decoder norm") == 1);
}

TEST_SUITE_END();

}  // namespace attn::test
