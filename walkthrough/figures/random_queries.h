// Footnote 4 of the paper in numbers: random queries and keys, with the division by √d_k and
// without. For the figures of chapter 3.2.1.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "base/random.h"

namespace attn::walkthrough {

constexpr int kRandomKeys = 8, kRandomDraws = 2000;

// Over many draws of one query q and its keys, all components being independent and normal with
// mean 0 and variance 1, as are the gradients dp of the weights.
struct RandomQueries {
  std::vector<double> weights = std::vector<double>(kRandomKeys);  // means; the largest first
  double mean = 0, median = 0;                                     // of |dq|
};

inline RandomQueries random_queries(int d_k, bool divided) {
  using Vector = std::vector<double>;
  const double scale = divided ? 1 / std::sqrt(d_k) : 1;
  const RandomStream normal{1, static_cast<std::uint64_t>(d_k)};
  std::uint64_t next = 0;
  const auto draw = [&](Vector& x) {
    for (double& component : x) component = normal.normal(next++);
  };
  RandomQueries result;
  Vector lengths;
  for (int i = 0; i < kRandomDraws; ++i) {
    Vector q(d_k), dp(kRandomKeys), p(kRandomKeys, 0);
    std::vector<Vector> K(kRandomKeys, q);
    draw(q);
    for (Vector& k : K) draw(k);
    draw(dp);

    // p = softmax(scale · K q)
    for (std::size_t j = 0; j < K.size(); ++j) {
      for (std::size_t c = 0; c < q.size(); ++c) p[j] += scale * q[c] * K[j][c];
    }
    const double highest = *std::max_element(p.begin(), p.end());
    double sum = 0;
    for (double& score : p) sum += score = std::exp(score - highest);
    for (double& weight : p) weight /= sum;

    // dq = Σ_j ds_j k_j with ds = scale · p ⊙ (dp − Σ p dp)
    double mean = 0, square = 0;
    for (std::size_t j = 0; j < K.size(); ++j) mean += p[j] * dp[j];
    for (std::size_t c = 0; c < q.size(); ++c) {
      double dq = 0;
      for (std::size_t j = 0; j < K.size(); ++j) dq += scale * p[j] * (dp[j] - mean) * K[j][c];
      square += dq * dq;
    }
    lengths.push_back(std::sqrt(square));
    result.mean += lengths.back() / kRandomDraws;
    std::sort(p.begin(), p.end(), std::greater<>());
    for (std::size_t j = 0; j < p.size(); ++j) result.weights[j] += p[j] / kRandomDraws;
  }
  std::sort(lengths.begin(), lengths.end());
  result.median = (lengths[kRandomDraws / 2 - 1] + lengths[kRandomDraws / 2]) / 2;
  return result;
}

}  // namespace attn::walkthrough
