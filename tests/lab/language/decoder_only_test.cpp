// The decoder-only model against the last program of walkthrough/grow/: its encoder layers with a
// causal mask, one sequence at a time in plain loops. And what must not matter, to the last bit.
#include <doctest/doctest.h>

#define GROW_NO_MAIN
#define grow grow_one_stack  // another test has the program under its own name
#include "grow/13-transformer.cpp"
#undef grow
#include "base/parallel.h"
#include "lab/models.h"
#include "lab/support/small_decoder_only.h"
#include "support/compare.h"
#include "support/gradient_check.h"
#include "support/grow_twin.h"
#include "support/model_check.h"
#include "support/pytorch_check.h"
#include "support/run_check.h"

using namespace attn;
using namespace attn::test;
namespace grow = grow_one_stack;

namespace {

// ---- The model in plain loops: post-norm, tied embeddings, sinusoidal positions ----

grow::Matrix causal_layer(grow::Model& m, const grow::Name& layer, grow::Matrix x) {
  const grow::Name self = layer + ".self_attention", ffn = layer + ".feed_forward";
  x = grow::layer_norm(m, self + "_norm", x + grow::multi_head(m, self, x, x, true));
  grow::dropout(m, self, x);  // keeps the mask of a place without dropout
  x = grow::layer_norm(m, ffn + "_norm", x + grow::feed_forward(m, ffn, x));
  grow::dropout(m, ffn, x);
  return x;
}

// Adds the gradients of the summed loss of one pair to those of the program's model, and returns
// that loss. Tokens `first`, first + 1, … of source and target together are predicted.
double plain_loss(grow::Model& m, const std::vector<int>& sequence, std::size_t first) {
  const grow::Ids read(sequence.begin(), sequence.end() - 1);
  const grow::Ids predicted(sequence.begin() + static_cast<std::ptrdiff_t>(first), sequence.end());
  grow::Matrix h = grow::embed(m, "both", read);
  for (int i = 0; i < m.config.layers; ++i) h = causal_layer(m, "decoder." + std::to_string(i), h);
  grow::Parameter& E = m.parameters.at("embedding.weight");
  const grow::Matrix all = grow::product(h, grow::transposed(E.value));

  grow::Matrix scored(static_cast<int>(predicted.size()), all.cols), dlogits(all.rows, all.cols);
  const std::size_t skipped = (first - 1) * static_cast<std::size_t>(all.cols);
  std::copy(all.numbers.begin() + static_cast<std::ptrdiff_t>(skipped), all.numbers.end(),
            scored.numbers.begin());
  const double loss = grow::cross_entropy(scored, predicted, m.config.label_smoothing);
  std::copy(scored.numbers.begin(), scored.numbers.end(),
            dlogits.numbers.begin() + static_cast<std::ptrdiff_t>(skipped));

  grow::add_product(grow::transposed(dlogits), h, E.gradient);
  grow::Matrix d = grow::product(dlogits, E.value);
  for (int i = m.config.layers - 1; i >= 0; --i) {
    d = grow::encoder_layer_backward(m, "decoder." + std::to_string(i), d);
  }
  grow::embed_backward(m, "both", d);
  return loss;
}

void check_against_loops(const DecoderOnlyConfig& config, const Batch& batch) {
  DecoderOnly model = random_model(config);
  grow::Model twin = with_weights_of<grow::Model>(model, model.config());
  double loss = 0;
  Index predicted = 0;
  for (std::size_t b = 0; b + 1 < batch.source.offsets.size(); ++b) {
    std::vector<int> sequence = sentence(batch.source, b);
    const std::size_t bos = sequence.size();
    const std::vector<int> input = sentence(batch.target_input, b);
    sequence.insert(sequence.end(), input.begin(), input.end());
    sequence.push_back(target_output(batch, b).back());
    const std::size_t first = config.loss_on_all ? 1 : bos + 1;
    loss += plain_loss(twin, sequence, first);
    predicted += static_cast<Index>(sequence.size() - first);
  }
  const LossSums sums = model.loss_and_gradients(batch, {}, 1);
  CHECK(sums.tokens == predicted);
  CHECK(predicted_tokens(model, batch) == predicted);
  CHECK(model.logits(batch).rows() == predicted);
  CHECK(model.loss(batch).loss == sums.loss);
  CHECK(std::abs(sums.loss - loss) <= (sizeof(Real) == 8 ? 1e-12 : 1e-5) * loss);
  std::size_t compared = 0;
  model.visit_parameters([&](const std::string& name, Parameter& p) {
    CAPTURE(name);
    const grow::Parameter& q = twin.parameters.at(name);
    CHECK(relative_error(p.gradient.elements(), p.gradient.data(), q.gradient.numbers.data()) <=
          (sizeof(Real) == 8 ? 1e-10 : 1e-3));
    ++compared;
  });
  CHECK(compared == twin.parameters.size());
}

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

  TEST_CASE("decoder-only: loss and gradients, on target or all, are those of plain loops") {
    for (const bool all : {false, true}) {
      CAPTURE(all);
      const DecoderOnlyConfig config{small_config(), all};
      check_against_loops(config, small_batch());
      check_against_loops(config, small_texts());
      Batch mixed = small_texts();
      mixed.append({7, 7, 3, 2}, {1, 8, 2});
      check_against_loops(config, mixed);
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
            changed.ids[t] = 7;
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

  TEST_CASE("decoder-only: a run that was stopped, saved and resumed is the run without the stop") {
    for (const SmallDecoderOnly& small : small_decoder_only_models(all_small_models())) {
      CAPTURE(small.name);
      DecoderOnlyConfig config = with_dropout(small.config);
      config.max_positions = 64;
      check_resumed<DecoderOnly>(TemporaryDirectory(), config, 4, 2, plan_any_model);
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
