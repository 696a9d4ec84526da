// The numbers of chapter 3.2: one query at a memory of five, hard and soft, with dot products and
// with an additive score. Keys and values are those of chapter 3.2.1, the query is its third.
//
//     example-3.2 sharpness     prints softmax(β a) of the scores a for growing β, and the slopes
//     example-3.2 values        prints scores, weights and outputs as KEY = VALUE, counted from 1
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "layers/softmax.h"

using namespace attn;

namespace {

using Vector = std::vector<double>;
using Matrix = std::vector<Vector>;

const Matrix kKeys = {{1, 0, 0, 1}, {0, 2, 0, 1}, {1, 0, 2, 0}, {0, 0, 0, 2}, {0, 1, 0, 1}};
const Matrix kValues = {{1, 0, 0}, {0, 4, 0}, {2, 0, 1}, {0, 0, 1}, {0, 1, 3}};
const Vector kQuery = {0, 2, 1, 0};

// The additive score's parameters: hidden size 2.
const Matrix kWk = {{1, 0}, {0, 1}, {0, 0}, {-1, 0}};  // [d, 2]
const Matrix kWq = {{0, 1}, {1, 0}, {0, -1}, {0, 0}};  // [d, 2]
const Vector kv = {2, 1};                              // [2]

double dot(const Vector& a, const Vector& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

// α(q, k) = vᵀ tanh(k W_k + q W_q)
double additive(const Vector& q, const Vector& k) {
  double score = 0;
  for (std::size_t j = 0; j < kv.size(); ++j) {
    double hidden = 0;
    for (std::size_t i = 0; i < k.size(); ++i) hidden += k[i] * kWk[i][j] + q[i] * kWq[i][j];
    score += kv[j] * std::tanh(hidden);
  }
  return score;
}

Vector softmax_of(const Vector& a, double beta) {
  Tensor row = Tensor::zeros({1, static_cast<Index>(a.size())});
  for (std::size_t i = 0; i < a.size(); ++i) row[static_cast<Index>(i)] = static_cast<Real>(a[i]);
  softmax(row, static_cast<Real>(beta), Mask::none);
  Vector b;
  for (std::size_t i = 0; i < a.size(); ++i) {
    b.push_back(static_cast<double>(row[static_cast<Index>(i)]));
  }
  return b;
}

Vector output(const Vector& weights) {
  Vector o(kValues[0].size(), 0);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    for (std::size_t c = 0; c < o.size(); ++c) o[c] += weights[i] * kValues[i][c];
  }
  return o;
}

void print_values(const char* key, const Vector& x) {
  for (std::size_t i = 0; i < x.size(); ++i) std::printf("%s.%zu = %.7g\n", key, i + 1, x[i]);
}

void print_values() {
  Vector dots, sums;
  for (const Vector& key : kKeys) dots.push_back(dot(kQuery, key) / 2);
  for (const Vector& key : kKeys) sums.push_back(additive(kQuery, key));
  print_values("dot.a", dots);
  print_values("dot.b", softmax_of(dots, 1));
  print_values("dot.o", output(softmax_of(dots, 1)));
  print_values("additive.a", sums);
  print_values("additive.b", softmax_of(sums, 1));
  print_values("additive.o", output(softmax_of(sums, 1)));
}

// The largest weight's derivative by its own score is β b (1 − b).
void print_sharpness() {
  const Vector a = {0.1, 0.3, 0.2};
  std::printf("   beta      b1      b2      b3   slope of b2\n");
  for (const double beta : {0.0, 1.0, 10.0, 100.0, 1000.0}) {
    const Vector b = softmax_of(a, beta);
    std::printf("%7.0f  %6.4f  %6.4f  %6.4f  %12.4f\n", beta, b[0], b[1], b[2],
                beta * b[1] * (1 - b[1]));
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc == 2 && std::strcmp(argv[1], "values") == 0) {
    print_values();
  } else if (argc == 2 && std::strcmp(argv[1], "sharpness") == 0) {
    print_sharpness();
  } else {
    std::fprintf(stderr, "usage: example-3.2 values|sharpness\n");
    return 2;
  }
  return 0;
}
