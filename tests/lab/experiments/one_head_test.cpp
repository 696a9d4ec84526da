#include "lab/experiments/one_head.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "decoding/greedy.h"
#include "layers/attention.h"
#include "support/gradient_check.h"
#include "training/adam.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr Compatibility kAll[] = {Compatibility::scaled_dot, Compatibility::dot,
                                  Compatibility::additive};

OneHead started(Compatibility compatibility, Index d_k) {
  OneHead model(compatibility, 11, 6, d_k);
  initialise_parameters(model, 1);
  zero_gradients(model);
  return model;
}

Batch two_sentences() {
  Batch batch;
  batch.append({3, 4, 5, 2}, {1, 5, 4, 3, 2});
  batch.append({7, 2}, {1, 8, 9, 2});
  return batch;
}

// The weights α of every sentence.
std::vector<Tensor> weights(const OneHead& model, const Batch& batch) {
  std::vector<Tensor> all;
  Watcher watcher;
  watcher.value = [&](const SeenValue& seen) {
    if (std::string(seen.called.name) == "alpha") all.push_back(copy_of(seen.numbers));
  };
  model.loss(batch, Pass(watcher));
  return all;
}

}  // namespace

TEST_SUITE("3.2.1 scores compared") {
  TEST_CASE("one head: all gradients agree with finite differences, for every kind of score") {
    if (sizeof(Real) != 8) return;
    const Batch batch = two_sentences();
    for (const Compatibility kind : kAll) {
      CAPTURE(name_of(kind));
      OneHead model = started(kind, 5);
      CHECK(gradient_errors(model, batch, {}, 0.7) == "");
    }
  }

  TEST_CASE("one head: the kinds are what their names say") {
    const Batch batch = two_sentences();
    OneHead scaled = started(Compatibility::scaled_dot, 16);
    OneHead dot = started(Compatibility::dot, 16);
    const Tensor of_dot = weights(dot, batch)[0];
    CHECK(!same(weights(scaled, batch)[0], of_dot));
    // Queries a quarter as long: √16 is 4.
    for (Index i = 0; i < 6 * 16; ++i) dot.query.weight.value[i] /= 4;
    const Tensor shortened = weights(dot, batch)[0];
    CHECK(relative_error(shortened, weights(scaled, batch)[0]) < 1e-5);
    // Without v all scores are 0.
    OneHead additive = started(Compatibility::additive, 16);
    additive.attention.v.value.fill(0);
    const Tensor even = weights(additive, batch)[0];
    for (Index i = 0; i < even.elements(); ++i) CHECK(even[i] == doctest::Approx(0.25));
  }

  TEST_CASE(
      "with Adam, no division is a W^Q that starts √d_k times as large and moves √d_k times as "
      "far") {
    const Batch batch = two_sentences();
    OneHead undivided = started(Compatibility::dot, 16),
            divided(Compatibility::scaled_dot, 11, 6, 16);
    initialise_parameters(divided, 1);
    Tensor& W = divided.query.weight.value;
    for (Index i = 0; i < W.elements(); ++i) W[i] *= 4;
    const auto gradient = [&](OneHead& model) {
      zero_gradients(model);
      model.loss_and_gradients(batch, Pass(DropoutMasks(1, 1)), 1);
    };
    Adam adam_undivided, adam_divided;
    for (Index step = 1; step <= 5; ++step) {
      CHECK(divided.loss(batch).loss == doctest::Approx(undivided.loss(batch).loss).epsilon(1e-5));
      gradient(undivided);
      gradient(divided);
      // dW is √d_k times smaller.
      Tensor smaller = undivided.query.weight.gradient;
      for (Index i = 0; i < smaller.elements(); ++i) smaller[i] /= 4;
      CHECK(relative_error(divided.query.weight.gradient, smaller) < 1e-4);
      adam_undivided.update(undivided, step, 0.01);
      const Tensor before = W;
      adam_divided.update(divided, step, 0.01);
      for (Index i = 0; i < W.elements(); ++i) W[i] += 3 * (W[i] - before[i]);
    }
  }

  TEST_CASE("one head: queries and keys have components of variance about 1 at the start") {
    for (const Index d_k : {8, 512}) {
      OneHead model(Compatibility::dot, 11, 64, d_k);
      initialise_parameters(model, 1);
      // Σ W² over the inputs is 2, and the mean square of PE is 1/2.
      for (const Linear* layer : {&model.query, &model.key}) {
        const double variance =
            sum_of_squares(layer->weight.value) / (2 * static_cast<double>(d_k));
        CHECK(variance == doctest::Approx(1).epsilon(0.2));
      }
    }
  }

  TEST_CASE("one head: a key says where its word is, from the start and from the end") {
    const Batch batch = two_sentences();
    for (const bool from_end : {false, true}) {
      OneHead model = started(Compatibility::dot, 6);
      model.query.weight.value.fill(0);
      model.key.weight.value.fill(0);
      for (Index i = 0; i < 6; ++i) {
        model.query.weight.value(i, i) = 100;
        model.key.weight.value((from_end ? 6 : 0) + i, i) = 1;
      }
      // PE(t) · PE(s) is largest for s = t.
      const Tensor P = weights(model, batch)[0];
      REQUIRE(P.rows() == 4);
      for (Index t = 0; t < 4; ++t) CHECK(P(t, from_end ? 3 - t : t) > Real(0.99));
    }
  }

  TEST_CASE("one head: decoding gives the logits that the loss is computed from") {
    const Batch batch = two_sentences();
    for (const Compatibility kind : kAll) {
      CAPTURE(name_of(kind));
      const OneHead model = started(kind, 5);
      const auto state = model.start_decoding(batch.source);
      double loss = 0;
      const std::vector<std::vector<int>> targets{{5, 4, 3, 2}, {8, 9, 2}};
      for (std::size_t t = 0; t < 4; ++t) {
        if (t == 3) model.reorder(*state, {0});
        Tensor logits = model.next_logits(*state, std::vector<int>(t == 3 ? 1 : 2, 1));
        for (std::size_t b = 0; b < (t == 3 ? 1 : 2); ++b) {
          const auto row = static_cast<Index>(b);
          loss +=
              cross_entropy_forward(rows_of(std::as_const(logits), row, row + 1), &targets[b][t], 0)
                  .loss;
        }
      }
      CHECK(loss == doctest::Approx(model.loss(batch).loss).epsilon(1e-5));
      CHECK(decode_greedily(model, batch.source, {}).size() == 2);
    }
  }
}
