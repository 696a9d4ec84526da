#include "lab/experiments/table1.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

#include "base/check.h"
#include "lab/experiments/compared_layers.h"
#include "text/lines.h"

using namespace attn;

namespace {

// The pairs of positions at most `reach` apart, of n.
Index pairs(Index n, Index reach) {
  return n * (2 * reach + 1) - reach * (reach + 1);
}

// "attention LSTM n=32 d=16 window=5"
struct Cell {
  std::string layer, other;
  Index n = 0, d = 0, window = 0;
};
Cell cell_of(const TrialResult& result) {
  Cell cell;
  for (const std::string& word : split(result.trial.variant, ' ')) {
    if (word.substr(0, 2) == "n=") {
      cell.n = std::stoi(word.substr(2));
    } else if (word.substr(0, 2) == "d=") {
      cell.d = std::stoi(word.substr(2));
    } else if (word.substr(0, 7) == "window=") {
      cell.window = std::stoi(word.substr(7));
    } else {
      (cell.layer.empty() ? cell.layer : cell.other) = word;
    }
  }
  if (cell.window == 0) cell.window = compared_layer(cell.layer).window;
  return cell;
}

struct Products {
  const char* formula;
  Index multiply_adds;
};
// Of a layer of kind `layer`, the products that its equations have; convolutions multiply with the
// zeros around the sentence.
Products products_of(const Cell& cell) {
  const Index n = cell.n, d = cell.d, k = cell.window, window = pairs(n, k / 2);
  if (cell.layer == "bare-attention") return {"2n²d", 2 * n * n * d};
  if (cell.layer == "attention") return {"2n²d + 4nd²", 2 * n * n * d + 4 * n * d * d};
  if (cell.layer == "bare-restricted") return {"2(rn − 20)d", 2 * window * d};
  if (cell.layer == "restricted") return {"2(rn − 20)d + 4nd²", 2 * window * d + 4 * n * d * d};
  if (cell.layer == "RNN") return {"2nd²", 2 * n * d * d};
  if (cell.layer == "LSTM") return {"8nd²", 8 * n * d * d};
  if (cell.layer == "convolution" || cell.layer == "dilated") return {"knd²", k * n * d * d};
  if (cell.layer == "strided") return {"k⌈n/k⌉d²", k * ((n + k - 1) / k) * d * d};
  if (cell.layer == "separable") return {"(kn − 2)d + nd²", window * d + n * d * d};
  if (cell.layer == "separable-n") return {"n²d + nd²", n * n * d + n * d * d};
  if (cell.layer == "encoder-layer") return {"2n²d + 12nd²", 2 * n * n * d + 12 * n * d * d};
  fail("no formula for ", cell.layer);
}

// Of a layer of kind `layer`, the numbers that its backward pass needs and x does not hold.
Index kept_numbers(const Cell& cell) {
  const Index h = kTable1Heads, n = cell.n, d = cell.d, r = cell.window;
  const Index attention = h * n * n + 4 * n * d;     // P of each head, Q, K, V, concat
  if (cell.layer == "bare-attention") return n * n;  // P
  if (cell.layer == "attention") return attention;
  if (cell.layer == "bare-restricted") return n * r;             // P
  if (cell.layer == "restricted") return h * n * r + 4 * n * d;  // P of each head, Q, K, V, concat
  if (cell.layer == "RNN") return n * d + (n + 1) * d;           // tanh(…), h from the start on
  if (cell.layer == "LSTM") return 5 * n * d + 2 * (n + 1) * d;  // i f o g, tanh c; h and c
  if (cell.layer == "convolution" || cell.layer == "dilated" || cell.layer == "strided") return 0;
  if (cell.layer == "separable" || cell.layer == "separable-n") return n * d;  // z
  // The feed-forward network's hidden layer and input; x̂ and 1/σ of two norms.
  if (cell.layer == "encoder-layer") return attention + (4 + 1 + 2) * n * d + 2 * n;
  fail("no formula for ", cell.layer);
}

}  // namespace

TEST_SUITE("4 why self-attention") {
  TEST_CASE("counted exponents of n, d, k and r are Table 1's within 0.05") {
    const Table1Grid grid{{64, 128, 256, 512}, {16, 32, 64, 128}, {}, {}, {3, 5, 9, 17}};
    const auto work = run_in_memory(table1_work(grid, false));
    for (const std::string layer :
         {"bare-attention", "bare-restricted", "RNN", "LSTM", "convolution", "dilated", "strided",
          "separable", "separable-n"}) {
      for (const Size along : {Size::n, Size::d}) {
        CAPTURE(layer);
        CAPTURE(static_cast<int>(along));
        const Exponents p = table1_exponents(grid, work, layer, "multiply_adds", along);
        CHECK(std::abs(p.measured - p.paper) < 0.05);
      }
    }
    for (const std::string layer : {"bare-restricted", "convolution", "dilated", "separable"}) {
      CAPTURE(layer);
      const Exponents p = table1_exponents(grid, work, layer, "multiply_adds", Size::window);
      CHECK(std::abs(p.measured - p.paper) < 0.05);
      if (layer != "separable") CHECK(p.paper == doctest::Approx(1));
    }
    // Projections turn n² into something between n and n².
    const Exponents whole = table1_exponents(grid, work, "attention", "multiply_adds", Size::n);
    CHECK(whole.paper == doctest::Approx(2));
    CHECK(whole.measured > 1.5);
    CHECK(whole.measured < 1.9);
  }

  TEST_CASE(
      "multiply-adds and kept bytes equal each layer's formula, over a factor of 8 in n and in d") {
    const Table1Grid grid{{32, 64, 128, 256}, {16, 32, 64, 128}, {}, {}, {1, 5, 31, 63, 127}};
    for (const TrialResult& result : run_in_memory(table1_work(grid, false))) {
      CAPTURE(result.trial.variant);
      const Cell cell = cell_of(result);
      const ComparedLayer& kind = compared_layer(cell.layer);
      const Products products = products_of(cell);
      CHECK(kind.products == products.formula);
      CHECK(static_cast<Index>(result.values[0]) == products.multiply_adds);
      CHECK(static_cast<Index>(result.values[2]) ==
            kept_numbers(cell) * static_cast<Index>(sizeof(Real)));
    }
    // With n = r, the ends of the sentence cut every window except the middle one.
    const Index n = 9, d = 24;
    for (const ComparedLayer& kind : compared_layers()) {
      CAPTURE(kind.name);
      const Work work = work_of(kind.make({d, n, kind.window}), random_input(n, d));
      CHECK(work.multiply_adds == products_of({kind.name, "", n, d, kind.window}).multiply_adds);
    }
    CHECK_THROWS_AS(compared_layer("GRU"), Error);
  }

  TEST_CASE("attention takes h·n² exponentials, an LSTM 5·n·d, a convolution none") {
    const Index n = 24, d = 16, h = kTable1Heads;
    const Tensor x = random_input(n, d);
    const auto work = [&](const char* layer) {
      return work_of(compared_layer(layer).make({d, n, compared_layer(layer).window}), x);
    };
    CHECK(work("bare-attention").exponentials == n * n);
    CHECK(work("attention").exponentials == h * n * n);
    CHECK(work("RNN").exponentials == n * d);
    CHECK(work("LSTM").exponentials == 5 * n * d);
    CHECK(work("convolution").exponentials == 0);
    // The k·n·d numbers of its windows, and y.
    CHECK(work("convolution").peak == (3 + 1) * n * d * static_cast<Index>(sizeof(Real)));
  }

  TEST_CASE("a recurrent layer takes n steps one after another, every other kind as many as ever") {
    const Table1Grid grid{{}, {}, {5, 9, 14}, {}, {}};
    for (const TrialResult& result : run_in_memory(table1_depth(grid))) {
      CAPTURE(result.trial.variant);
      const Cell cell = cell_of(result);
      const double n = static_cast<double>(cell.n), steps = result.values[0];
      if (cell.layer == "RNN" || cell.layer == "LSTM") CHECK(steps == n);
      // Scores and sum; with their projections, which are one more before and after.
      if (cell.layer == "bare-attention" || cell.layer == "bare-restricted") CHECK(steps == 2);
      if (cell.layer == "attention" || cell.layer == "restricted") CHECK(steps == 4);
      if (cell.layer == "convolution" || cell.layer == "dilated" || cell.layer == "strided") {
        CHECK(steps == 1);
      }
      if (cell.layer == "separable" || cell.layer == "separable-n") CHECK(steps == 2);
      if (cell.layer == "encoder-layer") CHECK(steps == 6);
    }
  }

  TEST_CASE("paths: 1 of attention, n of recurrence, n/reach of windows, log_k n if dilated") {
    const Table1Grid grid{{}, {}, {5, 9, 14}, {}, {5, 7, 9, 13, 31}};
    for (const TrialResult& result : run_in_memory(table1_depth(grid))) {
      CAPTURE(result.trial.variant);
      const Cell cell = cell_of(result);
      const double n = static_cast<double>(cell.n), path = result.values[1];
      const double reach = std::floor(static_cast<double>(cell.window) / 2);
      if (cell.window == 0) CHECK(path == (cell.layer == "RNN" || cell.layer == "LSTM" ? n : 1));
      for (const char* contiguous : {"convolution", "separable", "bare-restricted", "restricted"}) {
        if (cell.layer == contiguous) CHECK(path == std::ceil((n - 1) / reach));
      }
      if (cell.layer == "dilated" || cell.layer == "strided") {
        Index least = 0;  // window^least ≥ n
        for (Index reached = 1; reached < cell.n; reached *= cell.window) ++least;
        CHECK(path == static_cast<double>(least));
      }
    }
  }

  TEST_CASE(
      "bare attention is cheaper than an RNN up to n = d, a whole one than an LSTM up to 2d") {
    const Table1Grid grid{{}, {}, {}, {16, 24}, {}};
    for (const TrialResult& result : run_in_memory(table1_crossings(grid))) {
      CAPTURE(result.trial.variant);
      const Cell cell = cell_of(result);
      const double d = static_cast<double>(cell.d), n = result.values[0];
      const bool bare = cell.layer == "bare-attention";
      if (cell.other == "RNN") CHECK(n == (bare ? d : 0));
      if (cell.other == "LSTM") CHECK(n == (bare ? 4 * d : 2 * d));
      if (cell.other == "convolution") CHECK(n == (bare ? 1.5 * d : 0));
    }
  }

  TEST_CASE("the table says what was counted, with the exponents of the paper beside it") {
    const Table1Grid grid = table1_grid(true);
    const auto work = run_in_memory(table1_work(grid, false));
    const std::string text = table1_work_text(grid, work);
    CHECK(text.find("bare-attention   n²·d          2n²d  ") != std::string::npos);
    CHECK(text.find("attention        n²·d          2n²d + 4nd²") != std::string::npos);
    CHECK(text.find("2.00 (2.00)  1.00 (1.00)") != std::string::npos);
    CHECK(table1_crossings_text(run_in_memory(table1_crossings(grid))).find("never") !=
          std::string::npos);
    const std::string picture = document(table1_work_chart(grid, work, "multiply_adds", "Work"));
    CHECK(picture.find("bare-attention") != std::string::npos);
    CHECK(picture.find("</svg>") != std::string::npos);
    CHECK_THROWS_AS(table1_work_chart(grid, work, "hours", "Work"), Error);
  }
}
