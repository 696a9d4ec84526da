// Recurrent layers: packed by time, forward by hand, backward against finite differences.
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

// The same layer for one sentence, one number after another.
Tensor by_numbers(const Recurrent& layer, const Tensor& x) {
  const Index n = layer.n(), gates = gates_of(layer.cell) * n;
  std::vector<double> h(static_cast<std::size_t>(n)), c = h;
  Tensor result = Tensor::zeros({x.rows(), n});
  for (Index t = 0; t < x.rows(); ++t) {
    std::vector<double> a(static_cast<std::size_t>(gates)), u = a;
    for (Index g = 0; g < gates; ++g) {
      const auto i = static_cast<std::size_t>(g);
      a[i] = static_cast<double>(layer.input.bias.value[g]);
      for (Index k = 0; k < x.cols(); ++k) {
        a[i] += static_cast<double>(x(t, k)) * static_cast<double>(layer.input.weight.value(k, g));
      }
      if (layer.cell == Cell::gru) u[i] = static_cast<double>(layer.recurrent.bias.value[g]);
      for (Index k = 0; k < n; ++k) {
        u[i] += h[static_cast<std::size_t>(k)] *
                static_cast<double>(layer.recurrent.weight.value(k, g));
      }
    }
    for (Index j = 0; j < n; ++j) {
      const auto gate = [&](Index number) { return static_cast<std::size_t>(number * n + j); };
      const auto sum = [&](Index number) { return a[gate(number)] + u[gate(number)]; };
      const auto i = static_cast<std::size_t>(j);
      if (layer.cell == Cell::rnn) {
        h[i] = std::tanh(sum(0));
      } else if (layer.cell == Cell::lstm) {
        c[i] = logistic(sum(1)) * c[i] + logistic(sum(0)) * std::tanh(sum(3));
        h[i] = logistic(sum(2)) * std::tanh(c[i]);
      } else {
        const double candidate = std::tanh(a[gate(2)] + logistic(sum(0)) * u[gate(2)]);
        h[i] = (1 - logistic(sum(1))) * candidate + logistic(sum(1)) * h[i];
      }
      result(t, j) = static_cast<Real>(h[i]);
    }
  }
  return result;
}

}  // namespace

TEST_SUITE("2 predecessors") {
  TEST_CASE("steps: the longest sentence first, each step a block, and no step is larger") {
    const TimeSteps steps = time_steps(kOffsets, Direction::forwards);
    CHECK(steps.sentences == std::vector<Index>{3, 0, 1, 2});
    CHECK(steps.begins == Offsets{0, 3, 5, 7, 8, 9});
    CHECK(steps.tokens == std::vector<Index>{4, 0, 3, 5, 1, 6, 2, 7, 8});
    const TimeSteps back = time_steps(kOffsets, Direction::backwards);
    CHECK(back.begins == steps.begins);
    CHECK(back.tokens == std::vector<Index>{8, 2, 3, 7, 1, 6, 0, 5, 4});
  }

  TEST_CASE("each cell is its equations, one number after another") {
    for (const Cell cell : kCells) {
      CAPTURE(static_cast<int>(cell));
      const Recurrent layer = random_layer(cell, 3, 4);
      const Tensor x = random_tensor({6, 3}, 1);
      CHECK(relative_error(run(layer, x, {0, 6}), by_numbers(layer, x)) <= kRounding);
    }
  }

  TEST_CASE("by hand: an LSTM that forgets nothing counts, one that forgets all does not") {
    // i and o open, g = tanh(1); f open or shut.
    for (const double f : {40.0, -40.0}) {
      Recurrent layer(Cell::lstm, 1, 1);
      layer.input.bias.value = tensor_of({4}, {40, f, 40, 1});
      const Tensor h = run(layer, Tensor::zeros({3, 1}), {0, 3});
      const double g = std::tanh(1.0);
      CHECK(static_cast<double>(h[0]) == doctest::Approx(std::tanh(g)).epsilon(kRounding));
      CHECK(static_cast<double>(h[2]) ==
            doctest::Approx(std::tanh(f > 0 ? 3 * g : g)).epsilon(kRounding));
    }
  }

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
          const Index i = static_cast<Index>(b);
          CHECK(same(alone_last.h, copy_of(rows_of(last.h, i, i + 1))));
          // The last state is that of the last token read; of an empty sentence, the first.
          if (begin == end) continue;
          const Index token = direction == Direction::forwards ? end - 1 : begin;
          CHECK(same(alone_last.h, copy_of(rows_of(all, token, token + 1))));
        }
      }
    }
  }

  TEST_CASE("backwards is forwards on the sentence turned round") {
    for (const Cell cell : kCells) {
      const Recurrent layer = random_layer(cell, 3, 4);
      const Tensor x = random_tensor({5, 3}, 1);
      const std::vector<Index> turned{4, 3, 2, 1, 0};
      const Tensor back = run(layer, x, {0, 5}, Direction::backwards);
      CHECK(same(gathered(back, turned), run(layer, gathered(x, turned), {0, 5})));
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
