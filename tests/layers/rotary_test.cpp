// Rotary positions against a second derivation in plain loops and complex numbers, and finite
// differences; and what holds for every kind of positions.
#include "layers/rotary.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <map>

#include "base/parallel.h"
#include "layers/multi_head_attention.h"
#include "support/gradient_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr Index kModel = 5, kHeads = 3, kDk = 5, kDv = 4;
const Offsets kQueries = {0, 3, 4, 13}, kKeys = {0, 1, 7, 12};

MultiHeadAttention rotary_attention(double dropout = 0) {
  MultiHeadAttention attention(kModel, kHeads, kDk, kDv, true, dropout);
  attention.rotary = true;
  randomise(attention, 4);
  return attention;
}

double number(Real x) {
  return static_cast<double>(x);
}

// The score of one query and one key, with the positions i and j, from their projections. As
// complex numbers: Re(q · conj(k) · e^(iθ(i − j))), which knows the distance alone.
double score(const Real* q, const Real* k, Index i, Index j) {
  double sum = 0;
  for (Index c = 0; c + 1 < kDk; c += 2) {
    const std::complex<double> a(number(q[c]), number(q[c + 1])), b(number(k[c]), number(k[c + 1]));
    const double theta = std::exp(-std::log(10000.0) * static_cast<double>(c) / kDk);
    sum += std::real(a * std::conj(b) * std::polar(1.0, theta * static_cast<double>(i - j)));
  }
  sum += number(q[kDk - 1]) * number(k[kDk - 1]);  // d_k is odd
  return sum / std::sqrt(static_cast<double>(kDk));
}

// Concat W^O + b in plain loops.
std::vector<double> plain(const MultiHeadAttention& layer, const Tensor& x,
                          const Offsets& x_offsets, const Tensor& memory,
                          const Offsets& memory_offsets, Mask mask) {
  const Tensor Q = layer.query.forward(x), K = layer.key.forward(memory),
               V = layer.value.forward(memory);
  std::vector<double> y;
  for (std::size_t b = 0; b + 1 < x_offsets.size(); ++b) {
    for (Index t = x_offsets[b]; t < x_offsets[b + 1]; ++t) {
      const Index i = t - x_offsets[b];
      std::vector<double> concat;
      for (Index head = 0; head < kHeads; ++head) {
        std::vector<double> o(kDv);
        double total = 0;
        for (Index s = memory_offsets[b]; s < memory_offsets[b + 1]; ++s) {
          const Index j = s - memory_offsets[b];
          if (mask == Mask::causal && j > i) continue;
          const double e = std::exp(score(Q.row(t) + head * kDk, K.row(s) + head * kDk, i, j));
          total += e;
          for (Index c = 0; c < kDv; ++c) {
            o[static_cast<std::size_t>(c)] += e * number(V(s, head * kDv + c));
          }
        }
        for (const double sum : o) concat.push_back(sum / total);
      }
      for (Index c = 0; c < kModel; ++c) {
        double sum = number(layer.output.bias.value[c]);
        for (std::size_t r = 0; r < concat.size(); ++r) {
          sum += concat[r] * number(layer.output.weight.value(static_cast<Index>(r), c));
        }
        y.push_back(sum);
      }
    }
  }
  return y;
}

}  // namespace

TEST_SUITE("3.5 positions") {
  TEST_CASE("rotary: attention is that of plain loops, which know distances alone") {
    const Tensor x = random_tensor({13, kModel}, 1), memory = random_tensor({12, kModel}, 2);
    const double tolerance = sizeof(Real) == 8 ? 1e-12 : 1e-5;
    const MultiHeadAttention layer = rotary_attention();
    MultiHeadAttention::Cache cache;
    const Tensor masked =
        layer.forward(x, x, sentence_by_sentence(kQueries, kQueries, Mask::causal), Pass(), cache);
    const std::vector<double> expected = plain(layer, x, kQueries, x, kQueries, Mask::causal);
    CHECK(relative_error(masked.elements(), masked.data(), expected.data()) <= tolerance);

    const Tensor y =
        layer.forward(x, memory, sentence_by_sentence(kQueries, kKeys, Mask::none), Pass(), cache);
    const std::vector<double> of_cross = plain(layer, x, kQueries, memory, kKeys, Mask::none);
    CHECK(relative_error(y.elements(), y.data(), of_cross.data()) <= tolerance);
  }

  TEST_CASE(
      "decoding from keys that were kept gives attention's bits, several rows per memory too") {
    const Tensor x = random_tensor({6, kModel}, 1), memory = random_tensor({9, kModel}, 2);
    const MultiHeadAttention layer = rotary_attention();
    MultiHeadAttention::Cache unused;
    const Tensor y =
        layer.forward(x, memory, sentence_by_sentence({0, 6}, {0, 9}, Mask::none), Pass(), unused);
    KeyValues past = layer.project(memory, positions_in({0, 9}));
    for (Index i = 0; i < 6; ++i) {
      // Two hypotheses at position i.
      Tensor rows = Tensor::uninitialised({2, kModel});
      for (Index r = 0; r < 2; ++r) std::copy_n(x.row(i), kModel, rows.row(r));
      AttentionPattern pattern;
      pattern.query_positions = {i, i};
      pattern.past = &past;
      pattern.add(0, 2, 0, 9);
      const Tensor step = layer.forward(rows, Tensor::zeros({0, kModel}), pattern, Pass(), unused);
      for (Index c = 0; c < kModel; ++c) {
        CHECK(step(0, c) == y(i, c));
        CHECK(step(1, c) == y(i, c));
      }
    }
  }

  TEST_CASE("a turned vector keeps its length, and a quarter turn is a quarter turn") {
    const Tensor x = random_tensor({4, 12}, 3);  // two heads of d_k = 6
    Tensor y = x;
    turn(y, {0, 7, 7, 1000}, 2);
    for (Index t = 0; t < 4; ++t) {
      CHECK(sum_of_squares(copy_of(rows_of(y, t, t + 1))) ==
            doctest::Approx(sum_of_squares(copy_of(rows_of(x, t, t + 1)))).epsilon(1e-5));
    }
    for (Index c = 0; c < 12; ++c) CHECK(y(0, c) == x(0, c));  // position 0
    // θ_0 = 1: the first pair turns by the position itself, in radians.
    CHECK(number(y(1, 0)) ==
          doctest::Approx(number(x(1, 0)) * std::cos(7.0) - number(x(1, 1)) * std::sin(7.0)));
    CHECK(number(y(1, 7)) ==
          doctest::Approx(number(x(1, 6)) * std::sin(7.0) + number(x(1, 7)) * std::cos(7.0)));
    // Turned there and back again.
    turn_back(y, {0, 7, 7, 1000}, 2);
    CHECK(relative_error(y, x) <= 1e-6);
  }

  TEST_CASE("without positions, the order of a source does not matter; with any others it does") {
    for (const SmallModel& small : all_small_models()) {
      CAPTURE(small.name);
      const Transformer model = random_model(small.config);
      Batch batch, permuted;
      batch.append({5, 3, 6, 2}, {1, 4, 9, 2});
      permuted.append({6, 5, 2, 3}, {1, 4, 9, 2});
      const double error = relative_error(model.logits(permuted), model.logits(batch));
      if (small.config.positions == Positions::none) {
        CHECK(error <= 1e-5);
      } else {
        CHECK(error > 1e-3);
      }
    }
  }

  TEST_CASE("gradients are the same bits on any number of threads, for every kind of positions") {
    for (const SmallModel& small : position_models()) {
      CAPTURE(small.name);
      Transformer model = random_model(with_dropout(small.config));
      Batch batch;
      for (Index n = 1; n < 70; n += 4) {
        batch.append(random_ids(static_cast<std::uint64_t>(n), n), random_ids(99, 71 - n));
      }
      std::map<std::string, Tensor> expected;
      for (const int count : {1, 2, 5}) {
        const WithThreads with(count);
        zero_gradients(model);
        model.loss_and_gradients(batch, DropoutMasks(3, 4), 1);
        model.visit_parameters([&](const std::string& name, Parameter& p) {
          if (count == 1) expected[name] = p.gradient;
          CHECK(same(p.gradient, expected.at(name)));
        });
      }
    }
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("3.5 positions") {
  TEST_CASE("rotary: every gradient of an attention, with dropped weights") {
    for (const bool is_self : {true, false}) {
      CAPTURE(is_self);
      const Mask mask = is_self ? Mask::causal : Mask::none;
      MultiHeadAttention layer = rotary_attention(0.3);
      Tensor x = random_tensor({13, kModel}, 1), other = random_tensor({12, kModel}, 2);
      Tensor& memory = is_self ? x : other;
      const Offsets& offsets = is_self ? kQueries : kKeys;
      const AttentionPattern pattern = sentence_by_sentence(kQueries, offsets, mask);
      const std::string errors = layer_errors<MultiHeadAttention::Cache>(
          layer,
          [&](const Pass& pass, auto& cache) {
            return layer.forward(x, memory, pattern, pass, cache);
          },
          [&](const Tensor& dy, const Pass& pass, auto& cache, GradientCheck& check) {
            Tensor dmemory = Tensor::zeros(memory.shape());
            Tensor dx = layer.backward(dy, x, memory, pattern, pass, cache, dmemory);
            if (is_self) add(dmemory, dx);
            check.tensor("x", x, dx);
            if (!is_self) check.tensor("memory", memory, dmemory);
          });
      CHECK(errors == "");
    }
  }
}
#endif
