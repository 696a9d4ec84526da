// Positions that came after the paper, against second derivations in plain loops and complex
// numbers, published values, and finite differences.
#include "lab/positions/positions.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <complex>
#include <map>

#include "base/parallel.h"
#include "support/gradient_check.h"
#include "support/small_models.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr Index kModel = 5, kHeads = 3, kDk = 5, kDv = 4;
const Offsets kQueries = {0, 3, 4, 13}, kKeys = {0, 1, 7, 12};

MultiHeadAttention attention_with(Positions kind, Mask mask, double dropout = 0) {
  MultiHeadAttention attention(kModel, kHeads, kDk, kDv, true, dropout);
  attention.positions = {position_rules(kind), kHeads, kDk, kModel, mask == Mask::causal};
  randomise(attention, 4);
  return attention;
}

Index checked_bucket(Index distance, bool causal) {
  const Index bucket = bucket_of(distance, causal);
  CHECK((bucket >= 0 && bucket < 32));
  return bucket;
}

double number(Real x) {
  return static_cast<double>(x);
}

// The score of one query and one key, with the positions i and j, from their projections.
double score(const MultiHeadAttention& layer, Positions kind, const Real* q, const Real* k, Index i,
             Index j, Index head) {
  const double distance = static_cast<double>(i - j);
  double sum = 0;
  if (kind == Positions::rotary) {
    // As complex numbers: Re(q · conj(k) · e^(iθ(i − j))), which knows the distance alone.
    for (Index c = 0; c + 1 < kDk; c += 2) {
      const std::complex<double> a(number(q[c]), number(q[c + 1])),
          b(number(k[c]), number(k[c + 1]));
      const double theta = std::exp(-std::log(10000.0) * static_cast<double>(c) / kDk);
      sum += std::real(a * std::conj(b) * std::polar(1.0, theta * distance));
    }
    sum += number(q[kDk - 1]) * number(k[kDk - 1]);  // d_k is odd
    return sum / std::sqrt(static_cast<double>(kDk));
  }
  for (Index c = 0; c < kDk; ++c) sum += number(q[c]) * number(k[c]);
  sum /= std::sqrt(static_cast<double>(kDk));
  if (kind == Positions::sinusoidal) return sum;
  if (kind == Positions::alibi) {
    return sum - std::abs(distance) / std::pow(std::pow(2.0, 8.0 / kHeads), head + 1);
  }
  return sum + number(layer.positions.weight.value(bucket_of(i - j, layer.positions.causal), head));
}

// Concat W^O + b in plain loops.
std::vector<double> plain(const MultiHeadAttention& layer, Positions kind, const Tensor& x,
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
          const double e = std::exp(
              score(layer, kind, Q.row(t) + head * kDk, K.row(s) + head * kDk, i, j, head));
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

const Positions kInAttention[] = {Positions::rotary, Positions::relative, Positions::alibi};

}  // namespace

TEST_SUITE("3.5 positions") {
  TEST_CASE(
      "rotary, relative, ALiBi: attention is that of plain loops, which know distances alone") {
    const Tensor x = random_tensor({13, kModel}, 1), memory = random_tensor({12, kModel}, 2);
    const double tolerance = sizeof(Real) == 8 ? 1e-12 : 1e-5;
    for (const Positions kind : kInAttention) {
      CAPTURE(static_cast<int>(kind));
      MultiHeadAttention::Cache cache;
      const MultiHeadAttention self = attention_with(kind, Mask::causal);
      const Tensor masked = self.forward({x, kQueries, x, kQueries, Mask::causal}, Pass(), cache);
      const std::vector<double> expected =
          plain(self, kind, x, kQueries, x, kQueries, Mask::causal);
      CHECK(relative_error(masked.elements(), masked.data(), expected.data()) <= tolerance);

      const MultiHeadAttention cross = attention_with(kind, Mask::none);
      const Tensor y = cross.forward({x, kQueries, memory, kKeys, Mask::none}, Pass(), cache);
      const std::vector<double> of_cross =
          plain(cross, kind, x, kQueries, memory, kKeys, Mask::none);
      CHECK(relative_error(y.elements(), y.data(), of_cross.data()) <= tolerance);
    }
  }

  TEST_CASE(
      "decoding from keys that were kept gives attention's bits, several rows per memory too") {
    const Tensor x = random_tensor({6, kModel}, 1), memory = random_tensor({9, kModel}, 2);
    for (const Positions kind : kInAttention) {
      CAPTURE(static_cast<int>(kind));
      const MultiHeadAttention layer = attention_with(kind, Mask::none);
      MultiHeadAttention::Cache unused;
      const Tensor y = layer.forward({x, {0, 6}, memory, {0, 9}, Mask::none}, Pass(), unused);
      const Tensor K = layer.keys(memory, positions_in({0, 9})), V = layer.value.forward(memory);
      for (Index i = 0; i < 6; ++i) {
        // Two hypotheses at position i.
        Tensor rows = Tensor::uninitialised({2, kModel});
        for (Index r = 0; r < 2; ++r) std::copy_n(x.row(i), kModel, rows.row(r));
        const Tensor step = layer.attend(rows, {{2, K, V, i}});
        for (Index c = 0; c < kModel; ++c) {
          CHECK(step(0, c) == y(i, c));
          CHECK(step(1, c) == y(i, c));
        }
      }
    }
  }

  TEST_CASE("a turned vector keeps its length, and a quarter turn is a quarter turn") {
    const PositionRules rules = rotary_rules();
    const Tensor x = random_tensor({4, 12}, 3);  // two heads of d_k = 6
    const Tensor y = rules.turned(x, {0, 7, 7, 1000}, 2, false);
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
    const Tensor back = rules.turned(y, {0, 7, 7, 1000}, 2, true);
    CHECK(relative_error(back, x) <= 1e-6);
  }

  TEST_CASE("T5's buckets: the values of its own program") {
    // relative_position_bucket(j − i, bidirectional, 32 buckets, 128) of T5's program, for i − j.
    const std::map<Index, Index> causal{{-3, 0},   {0, 0},    {1, 1},    {15, 15},  {16, 16},
                                        {20, 17},  {21, 18},  {31, 21},  {64, 26},  {100, 30},
                                        {112, 30}, {113, 31}, {128, 31}, {5000, 31}};
    for (const auto& [distance, bucket] : causal) {
      CHECK(checked_bucket(distance, true) == bucket);
    }
    const std::map<Index, Index> both{{0, 0},   {7, 7},    {8, 8},     {11, 8},    {12, 9},
                                      {16, 10}, {100, 15}, {5000, 15}, {-1, 17},   {-7, 23},
                                      {-8, 24}, {-16, 26}, {-128, 31}, {-5000, 31}};
    for (const auto& [distance, bucket] : both) {
      CHECK(checked_bucket(distance, false) == bucket);
    }
  }

  TEST_CASE("ALiBi's slopes for 8 heads are the paper's: 1/2, 1/4, … 1/256") {
    const PositionRules rules = alibi_rules();
    for (Index head = 0; head < 8; ++head) {
      CHECK(number(rules.fixed_weight(head, 8)) == std::pow(0.5, static_cast<double>(head + 1)));
    }
    CHECK(rules.share(-3, false).factor == -3);
    CHECK(rules.share(3, true).factor == -3);
  }

  TEST_CASE(
      "random places increase, stay in their range, and reach all of it; the range is drawn") {
    const PositionRules rules = random_rules();
    std::vector<int> seen(20), first(20);
    int consecutive = 0;
    for (std::uint64_t draw = 0; draw < 4000; ++draw) {
      const std::vector<Index> places = rules.places({draw, 5}, {0, 4}, 20);
      REQUIRE(places.size() == 4);
      CHECK((places[0] >= 0 && places[3] < 20));
      for (std::size_t i = 0; i + 1 < 4; ++i) CHECK(places[i] < places[i + 1]);
      for (const Index place : places) ++seen[static_cast<std::size_t>(place)];
      ++first[static_cast<std::size_t>(places[0])];
      consecutive += places[0] == 0 && places[3] == 3;
    }
    // A range r in 4 … 20 has the probability 1/17, and then 4 of its r places are taken: place p
    // with Σ_(r > p) (4/r)/17, and the first four with Σ_r 1/(17 C(r, 4)).
    double all = 0;
    for (Index p = 0; p < 20; ++p) {
      double expected = 0;
      for (Index r = std::max<Index>(4, p + 1); r <= 20; ++r)
        expected += 4.0 / static_cast<double>(r) / 17;
      all += expected;
      const double share = seen[static_cast<std::size_t>(p)] / 4000.0;
      // Five deviations of a share of 4,000.
      CHECK(std::abs(share - expected) <= 5 * std::sqrt(0.25 / 4000));
    }
    CHECK(all == doctest::Approx(4));
    CHECK(std::abs(consecutive / 4000.0 - 0.0783) <= 5 * std::sqrt(0.08 / 4000));
    CHECK(rules.places({1, 1}, {0, 30}, 20).size() == 30);  // more than there are: 0, 1, 2, …
    CHECK(rules.places({1, 1}, {0, 30}, 20).back() == 29);
    CHECK(rules.places({1, 1}, {0, 0}, 20).empty());
  }

  TEST_CASE("random: both sides of a pair have the same places; decoding has 0, 1, 2, …") {
    const PositionalEncoding random(Positions::random, 300, 6), sines(Positions::sinusoidal, 0, 6);
    const Offsets offsets = {0, 4, 9};
    const auto encoding = [&](const PositionalEncoding& pe, const Pass& pass, Offsets at) {
      Tensor x = Tensor::zeros({at.back(), 6});
      pe.forward(x, at, pass);
      return x;
    };
    const Tensor once = encoding(random, DropoutMasks(1, 2), offsets);
    CHECK(same(once, encoding(random, DropoutMasks(1, 2), offsets)));
    CHECK_FALSE(same(once, encoding(random, DropoutMasks(1, 3), offsets)));
    CHECK_FALSE(same(once, encoding(random, DropoutMasks(2, 2), offsets)));
    CHECK_FALSE(same(once, encoding(sines, DropoutMasks(1, 2), offsets)));
    CHECK(same(encoding(random, Pass(), offsets), encoding(sines, Pass(), offsets)));
    // Sentence 1 has other places than sentence 0 of the same length.
    const Tensor twins = encoding(random, DropoutMasks(1, 2), {0, 5, 10});
    CHECK_FALSE(same(copy_of(rows_of(twins, 0, 5)), copy_of(rows_of(twins, 5, 10))));
    CHECK(same(copy_of(rows_of(twins, 5, 10)), copy_of(rows_of(once, 4, 9))));
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

  TEST_CASE("relative positions add a table per attention, of 32 buckets for each head") {
    TransformerConfig config = small_config();
    config.positions = Positions::relative;
    Transformer model(config);
    Index tables = 0;
    model.visit_parameters([&](const std::string& name, Parameter& p) {
      if (name.find(".position_bias") == std::string::npos) return;
      ++tables;
      CHECK(p.value.shape() == Shape{32, 3});
    });
    CHECK(tables == 3 * 2);
  }
}

#ifdef ATTENTION_DOUBLE
TEST_SUITE("3.5 positions") {
  TEST_CASE(
      "rotary, relative, ALiBi: every gradient of an attention, with dropped weights") {
    for (const Positions kind : kInAttention) {
      for (const bool is_self : {true, false}) {
        CAPTURE(static_cast<int>(kind));
        CAPTURE(is_self);
        const Mask mask = is_self ? Mask::causal : Mask::none;
        MultiHeadAttention layer = attention_with(kind, mask, 0.3);
        Tensor x = random_tensor({13, kModel}, 1), other = random_tensor({12, kModel}, 2);
        Tensor& memory = is_self ? x : other;
        const Offsets& offsets = is_self ? kQueries : kKeys;
        const Tensor dy = random_tensor({13, kModel}, 3);
        const MultiHeadAttention::Input input{x, kQueries, memory, offsets, mask};
        MultiHeadAttention::Cache cache;
        const Pass pass(DropoutMasks(5, 6));
        layer.forward(input, pass, cache);
        Tensor dmemory = Tensor::zeros(memory.shape());
        Tensor dx = layer.backward(dy, input, pass.back(), cache, dmemory);
        if (is_self) add(dmemory, dx);
        GradientCheck check;
        check.tensor("x", x, dx);
        if (!is_self) check.tensor("memory", memory, dmemory);
        check.parameters("layer", layer);
        CHECK(check.errors([&] {
          MultiHeadAttention::Cache unused;
          return weighted_sum(dy, layer.forward(input, Pass(DropoutMasks(5, 6)), unused));
        }) == "");
      }
    }
  }
}
#endif
