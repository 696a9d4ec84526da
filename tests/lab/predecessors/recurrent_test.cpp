// Recurrent layers: packed by time, backward against finite differences. (golden_test.cpp has
// PyTorch's values of every cell.)
#include "lab/predecessors/recurrent.h"

#include <doctest/doctest.h>

#include <cmath>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr Cell kCells[] = {Cell::rnn, Cell::gru, Cell::lstm};

Recurrent random_layer(Cell cell, Index d_in, Index n) {
  Recurrent layer(cell, d_in, n);
  randomise(layer, 7);
  return layer;
}

Tensor run(const Recurrent& layer, const Tensor& x, const Offsets& offsets,
           Direction direction = Direction::forwards, const Recurrent::State& start = {},
           Recurrent::State* last = nullptr) {
  Recurrent::Cache unused;
  return layer.forward(x, offsets, direction, start, {}, unused, last);
}

// Sentences of 3, 1, 0 and 5 tokens.
const Offsets kOffsets{0, 3, 4, 4, 9};

double logistic(double x) {
  return 1 / (1 + std::exp(-x));
}

}  // namespace

TEST_SUITE("2 predecessors") {
  TEST_CASE("a fresh LSTM forgets 1 − σ(1) of its cell per step, for inputs that say nothing") {
    const Index n = 3;
    Recurrent layer(Cell::lstm, 2, n);
    layer.visit("layer", [](const std::string& name, Parameter& p) { initialise(name, p, 5); });
    layer.recurrent.weight.value.fill(0);
    const Recurrent::State start{Tensor::zeros({1, n}), random_tensor({1, n}, 2)};
    Recurrent::State end;
    run(layer, Tensor::zeros({2, 2}), {0, 2}, Direction::forwards, start, &end);
    for (Index j = 0; j < n; ++j) {
      CHECK(static_cast<double>(end.c[j]) ==
            doctest::Approx(logistic(1) * logistic(1) * static_cast<double>(start.c[j]))
                .epsilon(kRounding));
    }
  }

  TEST_CASE("σ and tanh far from 0 are 0 or ±1, and NaN stays NaN") {
    const Real nan = std::numeric_limits<Real>::quiet_NaN();
    Real x[] = {-1000, -1, 0, 1, 1000, nan};
    Real y[] = {-1000, -1, 0, 1, 1000, nan};
    sigmoid(6, x);
    hyperbolic_tangent(6, y);
    CHECK((x[0] == 0 && x[2] == Real(0.5) && x[4] == 1 && std::isnan(x[5])));
    CHECK((y[0] == -1 && y[2] == 0 && y[4] == 1 && std::isnan(y[5])));
    CHECK(static_cast<double>(x[1]) == doctest::Approx(logistic(-1)).epsilon(kRounding));
    CHECK(static_cast<double>(y[3]) == doctest::Approx(std::tanh(1.0)).epsilon(kRounding));
  }

  TEST_CASE("a sentence's states do not depend, by a bit, on what else is in its batch") {
    for (const Cell cell : kCells) {
      for (const Direction direction : {Direction::forwards, Direction::backwards}) {
        const Recurrent layer = random_layer(cell, 3, 20);
        const Tensor x = random_tensor({9, 3}, 1);
        Recurrent::State last;
        const Tensor all = run(layer, x, kOffsets, direction, {}, &last);
        for (std::size_t b = 0; b + 1 < kOffsets.size(); ++b) {
          const Index begin = kOffsets[b], end = kOffsets[b + 1];
          Recurrent::State alone_last;
          const Tensor alone = run(layer, copy_of(rows_of(x, begin, end)), {0, end - begin},
                                   direction, {}, &alone_last);
          CHECK(same(alone, copy_of(rows_of(all, begin, end))));
          const Index i = b;
          CHECK(same(alone_last.h, copy_of(rows_of(last.h, i, i + 1))));
          // The last state is that of the last token read; of an empty sentence, the first.
          if (begin == end) continue;
          const Index token = direction == Direction::forwards ? end - 1 : begin;
          CHECK(same(alone_last.h, copy_of(rows_of(all, token, token + 1))));
        }
      }
    }
  }

  TEST_CASE("states of another number of sentences are an error") {
    const Recurrent layer = random_layer(Cell::gru, 3, 4);
    const Recurrent::State start{Tensor::zeros({2, 4}), {}};
    CHECK_THROWS_AS(run(layer, random_tensor({9, 3}, 1), kOffsets, Direction::forwards, start),
                    Error);
  }

#ifdef ATTENTION_DOUBLE
  TEST_CASE(
      "every cell: gradients of x, the start, and all weights agree with finite differences") {
    for (const Cell cell : kCells) {
      for (const Direction direction : {Direction::forwards, Direction::backwards}) {
        CAPTURE(static_cast<int>(cell));
        Recurrent layer = random_layer(cell, 3, 4);
        Tensor x = random_tensor({9, 3}, 1);
        Recurrent::State start{random_tensor({4, 4}, 2), {}};
        if (cell == Cell::lstm) start.c = random_tensor({4, 4}, 3);
        // What is wanted of the states, and of the last ones besides.
        const Tensor dh = random_tensor({9, 4}, 4);
        const Recurrent::State dend{random_tensor({4, 4}, 5), random_tensor({4, 4}, 6)};
        const Pass pass{DropoutMasks()};
        Recurrent::Cache cache;
        layer.forward(x, kOffsets, direction, start, pass, cache);
        Recurrent::State dstart;
        const Tensor dx = layer.backward(dh, dend, pass, cache, &dstart);
        GradientCheck check;
        check.tensor("x", x, dx);
        check.tensor("h", start.h, dstart.h);
        if (cell == Cell::lstm) check.tensor("c", start.c, dstart.c);
        check.parameters("layer", layer);
        CHECK(check.errors([&] {
          Recurrent::State last;
          const Tensor h = run(layer, x, kOffsets, direction, start, &last);
          double loss = weighted_sum(dh, h) + weighted_sum(dend.h, last.h);
          if (cell == Cell::lstm) loss += weighted_sum(dend.c, last.c);
          return loss;
        }) == "");
      }
    }
  }
#endif
}
