// What must not matter, does not, down to the last bit: later tokens, other sentences, threads.
#include <doctest/doctest.h>

#include "base/parallel.h"
#include "support/model_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

Batch larger_batch() {
  return random_pairs({31, 1, 60, 17}, 79);
}

// The decoder's output with the dropout of one fixed pass.
Tensor decoder_output(const Transformer& model, const Batch& batch, const Pass& pass) {
  Transformer::Cache unused;
  return model.forward(batch, pass, unused);
}

}  // namespace

TEST_SUITE("3.2.3 three uses") {
  TEST_CASE("no target token changes an earlier output, under any option, dropout, thread count") {
    for (const SmallModel& small_model : all_small_models()) {
      CAPTURE(small_model.name);
      const Transformer model = random_model(with_dropout(small_model.config));
      const Batch batch = small_batch();
      for (const DropoutMasks& masks : {DropoutMasks(), DropoutMasks(3, 4)}) {
        for (const int count : {1, 3}) {
          const WithThreads threads(count);
          const Tensor before = decoder_output(model, batch, masks);
          // Every token of the last sentence in turn: rows 4 to 8.
          for (Index t = 4; t < 9; ++t) {
            Batch changed = batch;
            changed.target_input.ids[static_cast<std::size_t>(t)] = 7;
            const Tensor after = decoder_output(model, changed, masks);
            CHECK(same_rows(after, 0, t, before, 0));
            CHECK_FALSE(same_rows(after, t, t + 1, before, t));
            CHECK_FALSE(same_rows(after, 8, 9, before, 8));
          }
        }
      }
    }
  }

  TEST_CASE("every source token reaches every target position, and the future is visible there") {
    const Transformer model = random_model(small_config());
    const Batch batch = small_batch();
    const Tensor before = decoder_output(model, batch, {});
    for (std::size_t s = 5; s < 8; ++s) {
      Batch changed = batch;
      changed.source.ids[s] = 7;
      const Tensor after = decoder_output(model, changed, {});
      CHECK(same_rows(after, 0, 4, before, 0));
      for (Index t = 4; t < 9; ++t) CHECK_FALSE(same_rows(after, t, t + 1, before, t));
    }
  }

  TEST_CASE("an empty source sentence leaves nothing to look at: zeros, not NaN") {
    check_empty_source(random_model(small_config()));
  }
}

TEST_SUITE("3.1 stacks") {
  TEST_CASE("a sentence's logits do not depend, by a bit, on what else is in its batch") {
    check_alone(random_model(small_config()), small_batch());
    check_alone(random_model(larger_config()), larger_batch());
  }

  TEST_CASE("nor when there are thousands of tiny ones") {
    const Transformer model = random_model(small_config());
    Batch one, many;
    one.append({4, 2}, {1, 5, 2});
    for (int i = 0; i < 2000; ++i) many.append({4, 2}, {1, 5, 2});
    const Tensor expected = model.logits(one), logits = model.logits(many);
    for (Index b = 0; b < 2000; ++b) REQUIRE(same_rows(logits, 2 * b, 2 * b + 2, expected, 0));
  }

  TEST_CASE("logits, loss and gradients are the same bits on any number of threads") {
    check_threads(random_model(with_dropout(larger_config())), larger_batch());
  }
}

TEST_SUITE("5.4 regularisation") {
  TEST_CASE(
      "dropout is on in training and off in the loss, and every place has a mask of its own") {
    for (const char* place : {"dropout", "attention_dropout", "relu_dropout"}) {
      CAPTURE(place);
      TransformerConfig config = small_config();
      set(config, place, "0.3");
      check_dropout(random_model(config));
    }
  }

  TEST_CASE("dropout falls on the sum of embedding and position, source and target apart") {
    // With every sub-layer's output matrix 0 and pre-norm, the stacks pass their input on.
    TransformerConfig config = small_config();
    config.dropout = 0.4;
    config.norm = NormPlacement::pre;
    Transformer model = random_model(config);
    model.visit_parameters([](const std::string& name, Parameter& p) {
      const bool last =
          name.find(".output.") != std::string::npos || name.find(".outer.") != std::string::npos;
      if (last) p.value.fill(0);
    });
    const Batch batch = small_batch();
    Transformer::Cache cache, undropped;
    model.forward(batch, DropoutMasks(1, 1), cache);
    model.forward(batch, DropoutMasks(), undropped);
    const auto check = [](const Tensor& dropped, const Tensor& whole) {
      Index zeros = 0;
      for (Index i = 0; i < whole.elements(); ++i) {
        const double kept = static_cast<double>(whole[i]) / 0.6;
        zeros += dropped[i] == 0;
        CHECK((dropped[i] == 0 || static_cast<double>(dropped[i]) == doctest::Approx(kept)));
      }
      CHECK(zeros > whole.elements() / 5);
      CHECK(zeros < whole.elements() * 3 / 5);
    };
    check(cache.encoder[0].self_norm.x, undropped.encoder[0].self_norm.x);
    check(cache.decoder[0].self_norm.x, undropped.decoder[0].self_norm.x);
    CHECK(cache.source_mask.random.stream != cache.target_mask.random.stream);
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("two unequal micro-batches add up to one batch, if both divide by all tokens") {
    Transformer model = random_model(small_config());
    const Batch whole = small_batch();
    Batch first, rest;
    first.append(sentence(whole.source, 0), {1, 4, 9, 2});
    rest.append(sentence(whole.source, 1), {1, 2});
    rest.append(sentence(whole.source, 2), {1, 3, 3, 5, 10, 2});
    const Real scale = Real(1) / 9;
    const Tensor expected = gradients_of(model, whole, {}, scale);
    Tensor sum = gradients_of(model, first, {}, scale);
    add(gradients_of(model, rest, {}, scale), sum);
    CHECK(relative_error(sum, expected) <= (sizeof(Real) == 8 ? 1e-13 : 1e-5));
  }

  TEST_CASE("logits that do not fit in memory at once, a part at a time, make one loss") {
    // 140 tokens of a vocabulary of 70000: more than the 8 million logits of a part.
    TransformerConfig config = small_config();
    config.layers = 1;
    config.source_vocabulary = config.target_vocabulary = 70000;
    Transformer model = random_model(config);
    Batch batch, first, second;
    std::vector<int> targets[2] = {{1}, {1}};
    for (int t = 0; t < 70; ++t) {
      targets[0].push_back(997 * t);
      targets[1].push_back(69999 - 991 * t);
    }
    first.append({5, 2}, targets[0]);
    second.append({6, 2}, targets[1]);
    batch.append({5, 2}, targets[0]);
    batch.append({6, 2}, targets[1]);
    zero_gradients(model);
    LossSums parts = model.loss_and_gradients(first, {}, 1);
    parts += model.loss_and_gradients(second, {}, 1);
    const Tensor gradients = gradients_in(model);
    zero_gradients(model);
    const LossSums whole = model.loss_and_gradients(batch, {}, 1);
    CHECK(whole.tokens == 140);
    CHECK(whole.loss == doctest::Approx(parts.loss).epsilon(1e-9));
    CHECK(whole.log_loss == doctest::Approx(parts.log_loss).epsilon(1e-9));
    CHECK(relative_error(gradients_in(model), gradients) <= 1e-5);
    CHECK(model.loss(batch).loss == doctest::Approx(parts.loss).epsilon(1e-9));
  }

  TEST_CASE("a second step without zeroing doubles every gradient") {
    for (const SmallModel& small_model : all_small_models()) {
      CAPTURE(small_model.name);
      Transformer model = random_model(with_dropout(small_model.config));
      const DropoutMasks masks(1, 1);
      const Tensor once = gradients_of(model, small_batch(), masks, 1);
      model.loss_and_gradients(small_batch(), masks, 1);
      Tensor twice = once;
      add(once, twice);
      CHECK(relative_error(gradients_in(model), twice) <= 1e-6);
    }
  }

  TEST_CASE("a warm training step asks the system for no memory") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    return;  // nothing is recycled then
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    return;
#endif
#endif
    // On one thread; on several, a temporary more or less may be in use at once.
    const WithThreads one_thread(1);
    Transformer model = random_model(with_dropout(larger_config()));
    const Batch largest = larger_batch(), smaller = small_batch();
    model.loss_and_gradients(largest, DropoutMasks(1, 1), 1);
    const Index before = tensor_allocations();
    for (std::uint64_t step = 2; step < 5; ++step) {
      model.loss_and_gradients(largest, DropoutMasks(1, step), 1);
    }
    CHECK(tensor_allocations() == before);
    model.loss_and_gradients(smaller, DropoutMasks(1, 9), 1);
    const Index after_smaller = tensor_allocations();
    model.loss_and_gradients(largest, DropoutMasks(1, 10), 1);
    model.loss_and_gradients(smaller, DropoutMasks(1, 11), 1);
    CHECK(tensor_allocations() == after_smaller);
  }
}
