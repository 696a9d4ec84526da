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

// "attention LSTM n=32 d=16"
struct Cell {
  std::string layer, other;
  Index n = 0, d = 0;
};
Cell cell_of(const TrialResult& result) {
  Cell cell;
  for (const std::string& word : split(result.trial.variant, ' ')) {
    if (word.substr(0, 2) == "n=") {
      cell.n = std::stoi(word.substr(2));
    } else if (word.substr(0, 2) == "d=") {
      cell.d = std::stoi(word.substr(2));
    } else {
      (cell.layer.empty() ? cell.layer : cell.other) = word;
    }
  }
  return cell;
}

struct Products {
  const char* formula;
  Index multiply_adds;
};
// Of a layer of kind `layer`, the products that its equations have; convolutions multiply with the
// zeros around the sentence.
Products products_of(const std::string& layer, Index n, Index d) {
  const Index k = kTable1Kernel, window = pairs(n, kTable1Window / 2);
  if (layer == "bare-attention") return {"2n²d", 2 * n * n * d};
  if (layer == "attention") return {"2n²d + 4nd²", 2 * n * n * d + 4 * n * d * d};
  if (layer == "bare-restricted") return {"2(rn − 20)d", 2 * window * d};
  if (layer == "restricted") return {"2(rn − 20)d + 4nd²", 2 * window * d + 4 * n * d * d};
  if (layer == "RNN") return {"2nd²", 2 * n * d * d};
  if (layer == "LSTM") return {"8nd²", 8 * n * d * d};
  if (layer == "convolution" || layer == "dilated") return {"knd²", k * n * d * d};
  if (layer == "separable") return {"(kn − 2)d + nd²", pairs(n, k / 2) * d + n * d * d};
  fail("no formula for ", layer);
}

// Of a layer of kind `layer`, the numbers that its backward pass needs and x does not hold.
Index kept_numbers(const std::string& layer, Index n, Index d) {
  const Index h = kTable1Heads, r = kTable1Window;
  if (layer == "bare-attention") return n * n;              // P
  if (layer == "attention") return h * n * n + 4 * n * d;   // P of each head, Q, K, V, concat
  if (layer == "bare-restricted") return n * r;             // P
  if (layer == "restricted") return h * n * r + 4 * n * d;  // P of each head, Q, K, V, concat
  if (layer == "RNN") return n * d + (n + 1) * d;           // tanh(…), h from the start on
  if (layer == "LSTM") return 5 * n * d + 2 * (n + 1) * d;  // i f o g, tanh c; h and c
  if (layer == "convolution" || layer == "dilated") return 0;
  if (layer == "separable") return n * d;  // z
  fail("no formula for ", layer);
}

}  // namespace

TEST_SUITE("4 why self-attention") {
  TEST_CASE("counted exponents are Table 1's within 0.05, over a factor of 8 in n and in d") {
    const Table1Grid grid{{64, 128, 256, 512}, {16, 32, 64, 128}, {}, {}};
    const auto work = run_in_memory(table1_work(grid, false));
    for (const std::string layer : {"bare-attention", "bare-restricted", "RNN", "LSTM",
                                    "convolution", "dilated", "separable"}) {
      for (const Size along : {Size::n, Size::d}) {
        CAPTURE(layer);
        CAPTURE(static_cast<int>(along));
        const Exponents p = table1_exponents(grid, work, layer, "multiply_adds", along);
        CHECK(std::abs(p.measured - p.paper) < 0.05);
      }
    }
    // Projections turn n² into something between n and n².
    const Exponents whole = table1_exponents(grid, work, "attention", "multiply_adds", Size::n);
    CHECK(whole.paper == doctest::Approx(2));
    CHECK(whole.measured > 1.5);
    CHECK(whole.measured < 1.9);
  }

  TEST_CASE(
      "multiply-adds and kept bytes equal each layer's formula, over a factor of 8 in n and in d") {
    const Table1Grid grid{{32, 64, 128, 256}, {16, 32, 64, 128}, {}, {}};
    for (const TrialResult& result : run_in_memory(table1_work(grid, false))) {
      CAPTURE(result.trial.variant);
      const Cell cell = cell_of(result);
      const ComparedLayer& kind = compared_layer(cell.layer);
      const Products products = products_of(cell.layer, cell.n, cell.d);
      CHECK(kind.products == products.formula);
      CHECK(static_cast<Index>(result.values[0]) == products.multiply_adds);
      CHECK(static_cast<Index>(result.values[2]) ==
            kept_numbers(cell.layer, cell.n, cell.d) * static_cast<Index>(sizeof(Real)));
    }
    // With n = r, the ends of the sentence cut every window except the middle one.
    const Index n = kTable1Window, d = 24;
    for (const ComparedLayer& kind : compared_layers()) {
      CAPTURE(kind.name);
      const Work work = work_of(kind.make(d, 0), random_input(n, d));
      CHECK(work.multiply_adds == products_of(kind.name, n, d).multiply_adds);
    }
    CHECK_THROWS_AS(compared_layer("GRU"), Error);
  }

  TEST_CASE("attention takes h·n² exponentials, an LSTM 5·n·d, a convolution none") {
    const Index n = 24, d = 16, h = kTable1Heads;
    const Tensor x = random_input(n, d);
    const auto work = [&](const char* layer) {
      return work_of(compared_layer(layer).make(d, 0), x);
    };
    CHECK(work("bare-attention").exponentials == n * n);
    CHECK(work("attention").exponentials == h * n * n);
    CHECK(work("RNN").exponentials == n * d);
    CHECK(work("LSTM").exponentials == 5 * n * d);
    CHECK(work("convolution").exponentials == 0);
    // The k·n·d numbers of its windows, and y.
    CHECK(work("convolution").peak ==
          (kTable1Kernel + 1) * n * d * static_cast<Index>(sizeof(Real)));
  }

  TEST_CASE("a recurrent layer takes n steps one after another, every other kind as many as ever") {
    const Table1Grid grid{{}, {}, {5, 9, 14}, {}};
    for (const TrialResult& result : run_in_memory(table1_depth(grid))) {
      CAPTURE(result.trial.variant);
      const Cell cell = cell_of(result);
      const double n = static_cast<double>(cell.n), steps = result.values[0];
      if (cell.layer == "RNN" || cell.layer == "LSTM") CHECK(steps == n);
      // Scores and sum; with their projections, which are one more before and after.
      if (cell.layer == "bare-attention" || cell.layer == "bare-restricted") CHECK(steps == 2);
      if (cell.layer == "attention" || cell.layer == "restricted") CHECK(steps == 4);
      if (cell.layer == "convolution" || cell.layer == "dilated") CHECK(steps == 1);
      if (cell.layer == "separable") CHECK(steps == 2);
    }
  }

  TEST_CASE("paths: 1 of attention, n of recurrence, n/reach of windows, log_k n if dilated") {
    const Table1Grid grid{{}, {}, {5, 9, 14}, {}};
    for (const TrialResult& result : run_in_memory(table1_depth(grid))) {
      CAPTURE(result.trial.variant);
      const Cell cell = cell_of(result);
      const double n = static_cast<double>(cell.n), path = result.values[1];
      const double reach = std::floor(static_cast<double>(kTable1Window) / 2);
      if (cell.layer == "bare-attention" || cell.layer == "attention") CHECK(path == 1);
      if (cell.layer == "RNN" || cell.layer == "LSTM") CHECK(path == n);
      if (cell.layer == "convolution" || cell.layer == "separable") CHECK(path == n - 1);
      if (cell.layer == "bare-restricted" || cell.layer == "restricted") {
        CHECK(path == std::ceil((n - 1) / reach));
      }
      // 3^L ≥ n
      if (cell.layer == "dilated") CHECK(path == (cell.n <= 9 ? 2 : 3));
    }
  }

  TEST_CASE(
      "bare attention is cheaper than an RNN up to n = d, a whole one than an LSTM up to 2d") {
    const Table1Grid grid{{}, {}, {}, {16, 24}};
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
