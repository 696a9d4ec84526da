// Scaled dot-product attention: the worked example of chapter 3.2.1, then the claims it makes.
#include "layers/attention.h"

#include <doctest/doctest.h>

#include "support/gradient_check.h"

using namespace attn;
using namespace attn::test;

namespace {

struct Attended {
  Tensor P;  // [m, n] weights
  Tensor O;  // [m, d_v] outputs
};

Attended attend(const Tensor& Q, const Tensor& K, const Tensor& V,
                const AttentionOptions& options = {}) {
  Attended result{Tensor::uninitialised({Q.rows(), K.rows()}),
                  Tensor::uninitialised({Q.rows(), V.cols()})};
  attention_forward(Q, K, V, options, {}, result.P, result.O);
  return result;
}

struct Gradients {
  Tensor dQ, dK, dV;
};

Gradients backward(const Tensor& dO, const Tensor& Q, const Tensor& K, const Tensor& V,
                   const Tensor& P, const AttentionOptions& options = {}) {
  Gradients result{Tensor::uninitialised(Q.shape()), Tensor::uninitialised(K.shape()),
                   Tensor::uninitialised(V.shape())};
  attention_backward(dO, Q, K, V, P, options, {}, result.dQ, result.dK, result.dV);
  return result;
}

// The chapter's example: one query, two keys.
struct ByHand {
  // q·k¹ = 2 ln 3 and q·k² = 0; divided by √4 and exponentiated they are 3 and 1.
  double ln3 = std::log(3.0);
  Tensor Q = tensor_of({1, 4}, {2, 0, 0, 0});
  Tensor K = tensor_of({2, 4}, {ln3, 5, -1, 0, 0, 1, 2, 3});
  Tensor V = tensor_of({2, 1}, {8, 4});
};

// Jane visite l'Afrique en septembre: five words, d_k = 4, d_v = 3.
struct Sentence {
  Tensor Q = random_tensor({5, 4}, 1), K = random_tensor({5, 4}, 2), V = random_tensor({5, 3}, 3);
};

double at(const Tensor& x, Index i, Index j) {
  return static_cast<double>(x(i, j));
}

double dot(const Tensor& a, Index i, const Tensor& b, Index j) {
  double sum = 0;
  for (Index c = 0; c < a.cols(); ++c) sum += at(a, i, c) * at(b, j, c);
  return sum;
}

}  // namespace

TEST_SUITE("3.2.1 scaled dot-product attention") {
  TEST_CASE("A⟨3⟩ word by word, q³ against k¹ … k⁵, is row 3 of the matrix form") {
    const Sentence s;
    const Attended all = attend(s.Q, s.K, s.V);

    // How well does l'Afrique's query fit each word's key?
    constexpr Index afrique = 2;
    double e[5], total = 0;
    for (Index word = 0; word < 5; ++word) {
      e[word] = std::exp(dot(s.Q, afrique, s.K, word) / std::sqrt(4.0));
      total += e[word];
    }
    // Its new meaning is the mean of all words' values, weighted by the fit.
    double A[3] = {0, 0, 0};
    for (Index word = 0; word < 5; ++word) {
      CHECK(at(all.P, afrique, word) == doctest::Approx(e[word] / total).epsilon(kRounding));
      for (Index c = 0; c < 3; ++c) A[c] += e[word] / total * at(s.V, word, c);
    }
    for (Index c = 0; c < 3; ++c) {
      CHECK(at(all.O, afrique, c) == doctest::Approx(A[c]).epsilon(kRounding));
    }
  }

  TEST_CASE("one query at a time gives the same bits as all at once") {
    const Sentence s;
    const Attended all = attend(s.Q, s.K, s.V);
    for (Index i = 0; i < 5; ++i) {
      const Attended one = attend(copy_of(rows_of(s.Q, i, i + 1)), s.K, s.V);
      for (Index j = 0; j < 5; ++j) CHECK(one.P[j] == all.P(i, j));
      for (Index c = 0; c < 3; ++c) CHECK(one.O[c] == all.O(i, c));
    }
  }

  TEST_CASE("by hand, forward: P = (¾, ¼) and O = 7") {
    const ByHand s;
    const Attended result = attend(s.Q, s.K, s.V);
    CHECK(at(result.P, 0, 0) == doctest::Approx(0.75).epsilon(kRounding));
    CHECK(at(result.P, 0, 1) == doctest::Approx(0.25).epsilon(kRounding));
    CHECK(at(result.O, 0, 0) == doctest::Approx(7).epsilon(kRounding));
  }

  TEST_CASE("by hand, backward: every number of the chapter's example") {
    const ByHand s;
    const Gradients g = backward(tensor_of({1, 1}, {1}), s.Q, s.K, s.V, attend(s.Q, s.K, s.V).P);
    // dV = Pᵀ dO = (¾, ¼).
    CHECK(at(g.dV, 0, 0) == doctest::Approx(0.75).epsilon(kRounding));
    CHECK(at(g.dV, 1, 0) == doctest::Approx(0.25).epsilon(kRounding));
    // dP = dO Vᵀ = (8, 4); Σ P ⊙ dP = 7; P ⊙ (dP − 7) = (¾, −¾); divided by √4, dS = (⅜, −⅜).
    // dQ = dS K = ⅜ (k¹ − k²).
    const double dq[] = {0.375 * s.ln3, 1.5, -1.125, -1.125};
    for (Index c = 0; c < 4; ++c) {
      CHECK(at(g.dQ, 0, c) == doctest::Approx(dq[c]).epsilon(kRounding));
    }
    // dK = dSᵀ Q = ±⅜ q.
    CHECK(at(g.dK, 0, 0) == doctest::Approx(0.75).epsilon(kRounding));
    CHECK(at(g.dK, 1, 0) == doctest::Approx(-0.75).epsilon(kRounding));
    for (Index c = 1; c < 4; ++c) CHECK((g.dK(0, c) == 0 && g.dK(1, c) == 0));
  }

  TEST_CASE("at d_k = 4 a backward pass that forgets 1/√d_k is off by exactly 2, in dQ and in dK") {
    const Sentence s;
    const Tensor dO = random_tensor({5, 3}, 4);
    const Tensor P = attend(s.Q, s.K, s.V).P;
    const Gradients g = backward(dO, s.Q, s.K, s.V, P);

    // P ⊙ (dP − rowsum(P ⊙ dP)) without the scale, then on to dQ and dK.
    Tensor forgetful = Tensor::zeros({5, 5});
    for (Index i = 0; i < 5; ++i) {
      double mean = 0;
      for (Index j = 0; j < 5; ++j) mean += at(P, i, j) * dot(dO, i, s.V, j);
      for (Index j = 0; j < 5; ++j) {
        forgetful(i, j) = static_cast<Real>(at(P, i, j) * (dot(dO, i, s.V, j) - mean));
      }
    }
    Tensor dQ = Tensor::zeros({5, 4}), dK = Tensor::zeros({5, 4});
    matmul(forgetful, s.K, dQ);
    matmul(transposed(forgetful), s.Q, dK);
    for (Index i = 0; i < 20; ++i) {
      CHECK(static_cast<double>(dQ[i]) ==
            doctest::Approx(2 * static_cast<double>(g.dQ[i])).epsilon(10 * kRounding));
      CHECK(static_cast<double>(dK[i]) ==
            doctest::Approx(2 * static_cast<double>(g.dK[i])).epsilon(10 * kRounding));
    }
  }

  TEST_CASE("footnote 4: of q and k with unit variance, q·k has variance d_k, over √d_k again 1") {
    for (const Index d_k : {4, 64}) {
      constexpr Index pairs = 20000;
      const Tensor q = random_tensor({pairs, d_k}, 1), k = random_tensor({pairs, d_k}, 2);
      double square = 0, scaled_square = 0;
      for (Index i = 0; i < pairs; ++i) {
        const double score = dot(q, i, k, i);
        square += score * score / pairs;
        scaled_square += score * score / static_cast<double>(d_k) / pairs;
      }
      // The estimate's own deviation is about 1 %.
      CHECK(square == doctest::Approx(static_cast<double>(d_k)).epsilon(0.05));
      CHECK(scaled_square == doctest::Approx(1).epsilon(0.05));
    }
  }

  TEST_CASE("without 1/√d_k softmax saturates at large d_k, and most queries' gradients vanish") {
    // Queries √d_k times as long undo the scale, and their gradients are shorter by √d_k.
    constexpr Index d_k = 512, m = 40;
    const Tensor Q = random_tensor({m, d_k}, 1), K = random_tensor({8, d_k}, 2);
    const Tensor V = random_tensor({8, 3}, 3), dO = random_tensor({m, 3}, 4);
    const Real root = std::sqrt(static_cast<Real>(d_k));
    Tensor longer = Q;
    for (Index i = 0; i < longer.elements(); ++i) longer[i] *= root;
    const Tensor dQ = backward(dO, Q, K, V, attend(Q, K, V).P).dQ;
    const Tensor unscaled_dQ = backward(dO, longer, K, V, attend(longer, K, V).P).dQ;
    Index vanished = 0;
    for (Index i = 0; i < m; ++i) {
      vanished += root * std::sqrt(dot(unscaled_dQ, i, unscaled_dQ, i)) <
                  std::sqrt(dot(dQ, i, dQ, i)) / 100;
    }
    CHECK(vanished > m / 2);
  }

  TEST_CASE("matrices that do not fit each other are an error") {
    const Sentence s;
    CHECK_THROWS_AS(attend(random_tensor({5, 3}, 1), s.K, s.V), Error);
    CHECK_THROWS_AS(attend(s.Q, s.K, random_tensor({4, 3}, 1)), Error);
  }
}

TEST_SUITE("3.2.3 three uses") {
  TEST_CASE("the first word of a causal sentence can only look at itself") {
    const Sentence s;
    const Attended result = attend(s.Q, s.K, s.V, {Mask::causal, {}});
    CHECK(result.P(0, 0) == 1);
    for (Index c = 0; c < 3; ++c) CHECK(result.O(0, c) == s.V(0, c));
  }
}

#ifdef ATTENTION_DOUBLE
namespace {

// dQ, dK and dV for m queries and n keys against finite differences.
std::string gradient_errors(Index m, Index n, const AttentionOptions& options) {
  Tensor Q = random_tensor({m, 2}, 1), K = random_tensor({n, 2}, 2), V = random_tensor({n, 3}, 3);
  const Tensor dO = random_tensor({m, 3}, 4);
  const Gradients g = backward(dO, Q, K, V, attend(Q, K, V, options).P, options);
  GradientCheck check;
  check.tensor("Q", Q, g.dQ);
  check.tensor("K", K, g.dK);
  check.tensor("V", V, g.dV);
  return check.errors([&] { return weighted_sum(dO, attend(Q, K, V, options).O); });
}

}  // namespace

TEST_SUITE("3.2.1 scaled dot-product attention") {
  TEST_CASE("attention: dQ, dK and dV agree with finite differences") {
    CHECK(gradient_errors(5, 5, {}) == "");
    CHECK(gradient_errors(4, 7, {}) == "");  // m ≠ n
    CHECK(gradient_errors(7, 4, {}) == "");
    CHECK(gradient_errors(1, 1, {}) == "");
  }

  TEST_CASE("attention: the same with a causal mask, also for fewer queries than keys") {
    CHECK(gradient_errors(5, 5, {Mask::causal, {}}) == "");
    CHECK(gradient_errors(4, 7, {Mask::causal, {}}) == "");
  }

  TEST_CASE("attention: the same with dropout on the weights") {
    CHECK(gradient_errors(4, 7, {Mask::none, {0.3, {1, 2}, 11}}) == "");
    CHECK(gradient_errors(5, 5, {Mask::causal, {0.3, {1, 2}}}) == "");
  }

  TEST_CASE("a shift of all keys by one vector moves no weight: its gradient, Σ dK, is 0") {
    Tensor Q = random_tensor({4, 2}, 1), K = random_tensor({7, 2}, 2), V = random_tensor({7, 3}, 3);
    const Gradients g = backward(random_tensor({4, 3}, 4), Q, K, V, attend(Q, K, V).P);
    for (Index c = 0; c < 2; ++c) {
      double sum = 0;
      for (Index j = 0; j < 7; ++j) sum += at(g.dK, j, c);
      CHECK(std::abs(sum) < 1e-14);
    }
  }
}
#endif
