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
      for (const DropoutMasks& masks : {DropoutMasks(), DropoutMasks(3, 4)}) {
        for (const int count : {1, 3}) {
          const WithThreads threads(count);
          check_causal([&](const Batch& batch) { return decoder_output(model, batch, masks); });
        }
      }
    }
  }

  TEST_CASE("every source token reaches every target position, and the future is visible there") {
    const Transformer model = random_model(small_config());
    check_sources([&](const Batch& batch) { return decoder_output(model, batch, {}); });
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
    for (const char* positions : {"sinusoidal", "learned", "rotary"}) {
      CAPTURE(positions);
      TransformerConfig config = with_dropout(larger_config());
      set(config, "positions", positions);
      check_threads(random_model(config), larger_batch());
    }
  }
}

TEST_SUITE("5.4 regularisation") {
  TEST_CASE("dropout is on in training and off in the loss, and every pass has its own masks") {
    for (const char* place : {"dropout", "attention_dropout", "relu_dropout"}) {
      CAPTURE(place);
      TransformerConfig config = small_config();
      set(config, place, "0.3");
      check_dropout(random_model(config));
    }
  }
}

TEST_SUITE("C backpropagation") {
  TEST_CASE("a second step without zeroing doubles every gradient") {
    for (const SmallModel& small_model : all_small_models()) {
      CAPTURE(small_model.name);
      Transformer model = random_model(with_dropout(small_model.config));
      const DropoutMasks masks(1, 1);
      const Tensor once = gradients_of(model, small_batch(), masks, 1);
      model.loss_and_gradients(small_batch(), masks, 1);
      CHECK(relative_error(gradients_in(model), sum_of(once, once)) <=
            (sizeof(Real) == 8 ? 1e-13 : 1e-6));
    }
  }

  TEST_CASE("where no backward pass follows, layers share a cache, and compute the same bits") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      const Transformer model = random_model(small.config);
      Transformer::Cache kept, shared;
      const Tensor training = model.forward(small_batch(), DropoutMasks(), kept);
      CHECK(same(model.forward(small_batch(), Pass(), shared), training));
      CHECK(kept.encoder.size() == 2);
      CHECK(kept.decoder.size() == 2);
      CHECK(shared.encoder.size() == 1);
      CHECK(shared.decoder.size() == 1);
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

TEST_SUITE("pass") {
  TEST_CASE("watching changes no bit of loss and gradients, with dropout, on any threads") {
    const Observer observer = [](const std::string&, const ConstMatrixView&) {};
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config));
      const Batch batch = small_batch();
      const Pass pass = DropoutMasks(3, 4), watched(DropoutMasks(3, 4), &observer);
      const Tensor gradients = gradients_of(model, batch, Pass(pass), Real(0.1));
      const double loss = model.loss_and_gradients(batch, Pass(pass), 1).loss;
      const double validation = model.loss(batch).loss;
      CHECK(validation != loss);
      for (const int count : {1, 2, 5}) {
        const WithThreads threads(count);
        CHECK(same(gradients_of(model, batch, Pass(watched), Real(0.1)), gradients));
        CHECK(model.loss_and_gradients(batch, Pass(watched), 1).loss == loss);
        CHECK(model.loss(batch, Pass(observer)).loss == validation);
      }
    }
  }
}
