// The numbers of chapter 3.2: one query and five entries, scored by dot products and by an additive
// score. Keys and values are those of chapter 3.2.1, the query is its third.
//
//     example-3.2     prints scores, weights and outputs, one row per word
#include <cmath>
#include <cstdio>
#include <vector>

#include "examples/five_words.h"
#include "layers/softmax.h"

using namespace attn;
using namespace attn::walkthrough;

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

// The additive score's parameters: hidden size 2.
const Matrix kWk = {{1, 0}, {0, 1}, {0, 0}, {-1, 0}};  // [d_k, 2]
const Matrix kWq = {{0, 1}, {1, 0}, {0, -1}, {0, 0}};  // [d_q, 2]
const Vector kv = {2, 1};                              // [2]

Matrix rows_of(const Tensor& x) {
  Matrix rows;
  for (Index i = 0; i < x.rows(); ++i) rows.emplace_back(x.row(i), x.row(i) + x.cols());
  return rows;
}

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// score(q, k) = v · tanh(q W_q + k W_k)
double additive(const Vector& q, const Vector& k) {
  double score = 0;
  for (std::size_t j = 0; j < kv.size(); ++j) {
    double hidden = 0;
    for (std::size_t i = 0; i < k.size(); ++i) hidden += k[i] * kWk[i][j] + q[i] * kWq[i][j];
    score += kv[j] * std::tanh(hidden);
  }
  return score;
}

Vector softmax_of(const Vector& a) {
  Tensor row = Tensor::zeros({1, static_cast<Index>(a.size())});
  for (std::size_t i = 0; i < a.size(); ++i) row[static_cast<Index>(i)] = static_cast<Real>(a[i]);
  softmax(row, 1, Mask::none);
  return rows_of(row)[0];
}

Vector output(const Vector& weights) {
  const Matrix values = rows_of(example_V());
  Vector o(values[0].size(), 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (std::size_t c = 0; c < o.size(); ++c) o[c] += weights[i] * values[i][c];
  }
  return o;
}

}  // namespace

int main() {
  const Matrix keys = rows_of(example_K());
  const Vector query = rows_of(example_Q())[2];
  Vector dots, sums;
  for (const Vector& key : keys) dots.push_back(dot(query, key) / 2);
  for (const Vector& key : keys) sums.push_back(additive(query, key));
  const Vector p = softmax_of(dots), q = softmax_of(sums);
  std::printf("            dot product           additive\n");
  std::printf("               a       p          a       p\n");
  for (std::size_t i = 0; i < keys.size(); ++i) {
    std::printf("%-10s %5.0f  %6.4f    %7.4f  %6.4f\n", kWords[i], dots[i], p[i], sums[i], q[i]);
  }
  for (const Vector& o : {output(p), output(q)}) {
    std::printf("o = (%.4f, %.4f, %.4f)\n", o[0], o[1], o[2]);
  }
  return 0;
}
