// The decoder-only model: against PyTorch and differences, and what must not matter, to the last
// bit.
#include <doctest/doctest.h>

#include "base/parallel.h"
#include "lab/models.h"
#include "lab/support/small_decoder_only.h"
#include "support/compare.h"
#include "support/gradient_check.h"
#include "support/model_check.h"
#include "support/product.h"
#include "support/pytorch_check.h"

using namespace attn;
using namespace attn::test;

namespace {

// What a decoder-only model reads: source and target as one sequence.
PackedIds sequences_of(const Batch& batch) {
  PackedIds x;
  for (std::size_t b = 0; b + 1 < batch.source.offsets.size(); ++b) {
    std::vector<int> ids = sentence(batch.source, b);
    const std::vector<int> target = sentence(batch.target_input, b);
    ids.insert(ids.end(), target.begin(), target.end());
    x.append(ids);
  }
  return x;
}

}  // namespace

TEST_SUITE("7 conclusion") {
  TEST_CASE("PyTorch computes a decoder-only model's values, gradients and steps") {
    const GoldenModel golden = read_golden("pytorch_decoder");
    const std::unique_ptr<SequenceModel> model = golden.model(plan_any_model);
    const auto& decoder = dynamic_cast<const DecoderOnly&>(*model);
    DecoderOnly::Cache cache;
    const Tensor h = decoder.forward(sequences_of(golden.batch), DropoutMasks(), cache);
    Values values;
    add_stack(values, "decoder", cache.decoder);
    values["decoder.output"] = &h;
    check_values(golden, values, decoder.logits(golden.batch));
    check_gradients(golden, *model);
    check_steps(golden, *golden.model(plan_any_model));
  }

  TEST_CASE("decoder-only: on target or all, each token is predicted from those before it") {
    Batch batch = small_batch();
    batch.append({}, {1, 4, 9, 2});  // a text
    const PackedIds x = sequences_of(batch);
    for (const bool all : {false, true}) {
      CAPTURE(all);
      DecoderOnly model = random_model(DecoderOnlyConfig{small_config(), all});
      DecoderOnly::Cache unused;
      const Tensor everywhere =
          product(model.forward(x, Pass(), unused), transposed(model.embedding.weight.value));
      const Tensor logits = model.logits(batch);
      std::vector<int> next;
      for (std::size_t b = 0; b + 1 < x.offsets.size(); ++b) {
        const Index n = static_cast<Index>(sentence(batch.source, b).size());
        std::vector<int> ids = sentence(x, b);
        ids.push_back(target_output(batch, b).back());
        for (Index t = all ? 0 : n; t + 1 < static_cast<Index>(ids.size()); ++t) {
          const Index row = static_cast<Index>(next.size());
          REQUIRE(row < logits.rows());
          CHECK(same_rows(logits, row, row + 1, everywhere, x.offsets[b] + t));
          next.push_back(ids[static_cast<std::size_t>(t + 1)]);
        }
      }
      CHECK(static_cast<Index>(next.size()) == logits.rows());
      CHECK(predicted_tokens(model, batch) == logits.rows());
      const LossSums expected = cross_entropy_forward(logits, next.data(), Real(0.1));
      CHECK(model.loss(batch).loss == doctest::Approx(expected.loss).epsilon(kRounding));
      const LossSums sums = model.loss_and_gradients(batch, {}, 1);
      CHECK(sums.loss == model.loss(batch).loss);
      CHECK(sums.tokens == logits.rows());
    }
  }

  TEST_CASE("decoder-only: no token changes an earlier output, whatever else is in the batch") {
    for (const SmallDecoderOnly& small : small_decoder_only_models(all_small_models())) {
      CAPTURE(small.name);
      const DecoderOnly model = random_model(with_dropout(small.config));
      PackedIds x;
      for (const auto& ids : {std::vector<int>{5, 3, 2, 1, 9}, {1}, {1, 4, 4, 9, 3, 10}}) {
        x.append(ids);
      }
      for (const DropoutMasks& masks : {DropoutMasks(), DropoutMasks(3, 4)}) {
        for (const int count : {1, 3}) {
          const WithThreads threads(count);
          DecoderOnly::Cache unused;
          const Tensor before = model.forward(x, masks, unused);
          for (Index t = 0; t < x.tokens(); ++t) {
            PackedIds changed = x;
            changed.ids[static_cast<std::size_t>(t)] = 7;
            const Tensor after = model.forward(changed, masks, unused);
            const Index end = t < 5 ? 5 : t < 6 ? 6 : 12;  // of t's sentence
            CHECK(same_rows(after, 0, t, before, 0));
            CHECK_FALSE(same_rows(after, t, t + 1, before, t));
            CHECK_FALSE(same_rows(after, end - 1, end, before, end - 1));
            CHECK(same_rows(after, end, 12, before, end));
          }
        }
      }
    }
  }

  TEST_CASE("decoder-only: a pair's logits do not depend on its batch, nor anything on threads") {
    for (const bool all : {false, true}) {
      const DecoderOnly model = random_model(with_dropout(DecoderOnlyConfig{larger_config(), all}));
      const Batch batch = random_pairs({31, 0, 60, 17}, 79);
      check_alone(model, batch);
      check_threads(model, batch);
    }
  }

  TEST_CASE("decoder-only: the number of weights is the formula's; one vocabulary is needed") {
    for (const SmallDecoderOnly& small : small_decoder_only_models(all_small_models())) {
      CAPTURE(small.name);
      CHECK(count_parameters(DecoderOnly(small.config)) == parameter_count(small.config));
      CHECK(from_settings<DecoderOnlyConfig>(to_settings(small.config), "here").loss_on_all ==
            small.config.loss_on_all);
    }
    // GPT-2's smallest model has 124,439,808 weights (Radford et al. 2019; with its code, 124M).
    DecoderOnlyConfig gpt2{preset("base")};
    gpt2.source_vocabulary = gpt2.target_vocabulary = 50257;
    gpt2.layers = gpt2.heads = 12;
    gpt2.d_model = 768;
    gpt2.d_ff = 3072;
    gpt2.norm = NormPlacement::pre;
    gpt2.attention_bias = true;
    gpt2.positions = Positions::learned;
    gpt2.max_positions = 1024;
    CHECK(parameter_count(gpt2) == 124439808);

    DecoderOnlyConfig config{small_config()};
    config.target_vocabulary = 12;
    config.tie_embeddings = false;
    CHECK_THROWS_WITH_AS(check(config),
                         "a decoder-only model has one vocabulary, not 11 and 12 tokens", Error);
    // Both sides of a pair share the learned positions.
    config.positions = Positions::learned;
    CHECK(facts_of(config).longest_sentence == config.max_positions / 2);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE("decoder-only: every gradient agrees with finite differences, with all dropouts") {
    const WithThreads one(1);
    for (const SmallDecoderOnly& small : small_decoder_only_models(all_small_models())) {
      CAPTURE(small.name);
      for (const Batch& batch : {small_batch(), small_texts()}) {
        DecoderOnly model = random_model(with_dropout(small.config), 3);
        CHECK(gradient_errors(model, batch, DropoutMasks(5, 6), 1.0 / 9) == "");
      }
    }
  }
#endif
}
