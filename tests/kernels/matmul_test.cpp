// Every rung of the ladder against the definition, bit for bit, and the definition against sums in
// long double. A, B and C lie inside larger arrays: what is around them and in the gaps between
// their rows is NaN. A NaN that gets into the product shows; one that is overwritten shows, too.
#include "kernels/matmul.h"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/parallel.h"
#include "kernels/each_isa.h"
#include "support/compare.h"

using namespace attn;
using namespace attn::test;

namespace {

struct Rung {
  const char* name;
  void (*multiply)(const MatmulProblem&);
};
const Rung kRungs[] = {{"naive", matmul_naive},     {"reordered", matmul_reordered},
                       {"blocked", matmul_blocked}, {"packed", matmul_packed},
                       {"simd", matmul_simd},       {"threads", matmul}};

// What a product is made of. A stored transposed has its columns contiguous.
struct Case {
  Index m, n, k;
  bool a_transposed = false, b_transposed = false;
  bool accumulate = false, bias = false, relu = false;
  Index gap = 0;    // numbers between the rows, as stored, of A, B and C
  Index guard = 0;  // numbers around them; with 0 the array ends with the matrix (for ASan)
};

// A matrix [rows, cols] inside an array of NaNs.
struct Matrix {
  Index rows, cols, row_stride, col_stride, guard;
  std::vector<Real> memory;

  Matrix(Index row_count, Index col_count, bool transposed, Index gap, Index around, unsigned seed)
      : rows(row_count), cols(col_count), guard(around) {
    row_stride = transposed ? 1 : cols + gap;
    col_stride = transposed ? rows + gap : 1;
    const Index extent = rows == 0 || cols == 0 ? 0 : offset(rows - 1, cols - 1) + 1;
    memory.assign(at(extent + 2 * guard), kNaN);
    const std::vector<Real> values = numbers(rows * cols, seed);
    for (Index i = 0; i < rows; ++i) {
      for (Index j = 0; j < cols; ++j) (*this)(i, j) = values[at(i * cols + j)];
    }
  }
  Index offset(Index i, Index j) const { return i * row_stride + j * col_stride; }
  Real& operator()(Index i, Index j) { return memory[at(guard + offset(i, j))]; }
  Real operator()(Index i, Index j) const { return memory[at(guard + offset(i, j))]; }
  Real* data() { return memory.data() + guard; }
  MatmulOperand operand() { return {data(), row_stride, col_stride}; }
};

struct Product {
  Case c;
  Matrix A, B, C;
  std::vector<Real> bias;

  explicit Product(const Case& the_case)
      : c(the_case),
        A(c.m, c.k, c.a_transposed, c.gap, c.guard, 1),
        B(c.k, c.n, c.b_transposed, c.gap, c.guard, 2),
        C(c.m, c.n, false, c.gap, c.guard, 3),
        bias(numbers(c.n, 4)) {}

  // C's whole memory after the product. Without accumulation C starts as NaN.
  std::vector<Real> run(void (*multiply)(const MatmulProblem&)) {
    Matrix result = C;
    for (Index i = 0; i < c.m && !c.accumulate; ++i) {
      for (Index j = 0; j < c.n; ++j) result(i, j) = kNaN;
    }
    MatmulProblem p{c.m, c.n, c.k, A.operand(), B.operand(), result.data(), result.row_stride};
    p.accumulate = c.accumulate;
    if (c.bias) p.bias = bias.data();
    p.relu = c.relu;
    multiply(p);
    return result.memory;
  }

  // The same from the definition, in long double.
  std::vector<Real> truth() const {
    Matrix result = C;
    for (Index i = 0; i < c.m; ++i) {
      for (Index j = 0; j < c.n; ++j) {
        long double sum = c.accumulate ? C(i, j) : 0;
        for (Index k = 0; k < c.k; ++k) sum += static_cast<long double>(A(i, k)) * B(k, j);
        if (c.bias) sum += bias[at(j)];
        result(i, j) = static_cast<Real>(c.relu && sum < 0 ? 0 : sum);
      }
    }
    return result.memory;
  }
};

// NaNs, which are where nothing may be written, have to be in the same places; then they are
// zeroed.
bool same_gaps(std::vector<Real>& a, std::vector<Real>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) != std::isnan(b[i])) return false;
    if (std::isnan(a[i])) a[i] = b[i] = 0;
  }
  return true;
}

double error_in_norm(std::vector<Real> a, std::vector<Real> b) {
  if (a.size() != b.size() || !same_gaps(a, b)) return std::numeric_limits<double>::infinity();
  return relative_error(a.size(), a.data(), b.data());
}

void check_all_rungs(const Case& c) {
  INFO("m ", c.m, " n ", c.n, " k ", c.k, " A transposed ", c.a_transposed, " B transposed ",
       c.b_transposed, " accumulate ", c.accumulate, " bias ", c.bias, " relu ", c.relu, " gap ",
       c.gap, " guard ", c.guard);
  Product product(c);
  const std::vector<Real> truth = product.truth();
  on_each_isa([&] {
    const std::vector<Real> expected = product.run(matmul_naive);
    CHECK(error_in_norm(expected, truth) <= kRounding);
    for (const Rung& rung : kRungs) {
      CAPTURE(rung.name);
      CHECK(same_bits(product.run(rung.multiply), expected));
    }
  });
}

}  // namespace

TEST_SUITE("kernels: matmul") {
  TEST_CASE("every rung gives the bits of the definition, at sizes around every tile") {
    const Index ms[] = {0, 1, 2, 3, 5, 6, 7, 8, 13, 14, 15, 28, 29, 47, 49, 60};
    const Index ns[] = {0, 1, 3, 4, 5, 8, 15, 16, 17, 31, 32, 33, 37, 64, 97, 130};
    const Index ks[] = {0, 1, 2, 7, 15, 16, 17, 31, 33, 64, 67};
    unsigned turn = 0;
    for (const Index m : ms) {
      for (const Index n : ns) {
        // Every k comes up with every other choice somewhere.
        ++turn;
        Case c{m, n, ks[turn * 7 % 11]};
        c.a_transposed = turn % 2 == 0;
        c.b_transposed = turn / 2 % 2 == 0;
        c.accumulate = turn % 3 == 0;
        c.bias = !c.accumulate && turn % 5 < 3;
        c.relu = !c.accumulate && turn % 7 < 4;
        c.gap = turn % 11 < 5 ? 0 : turn % 4;
        c.guard = turn % 13 < 6 ? 0 : 37;
        check_all_rungs(c);
      }
    }
  }

  TEST_CASE("blocks of k, of columns and of rows follow each other in order") {
    for (const bool transposed : {false, true}) {
      Case c{15, 33, 1100};
      c.a_transposed = c.b_transposed = transposed;
      c.bias = c.relu = true;
      check_all_rungs(c);
      Case wide{61, 1045, 37};
      wide.a_transposed = !transposed;
      wide.b_transposed = transposed;
      wide.accumulate = true;
      check_all_rungs(wide);
      Case both{50, 530, 530};
      both.b_transposed = transposed;
      both.bias = true;
      both.gap = 3;
      both.guard = 8;
      check_all_rungs(both);
      // Rows of B a power of two apart are packed, except for a few rows of A.
      for (const Index m : {24, 25}) {
        Case meeting{m, 512, 40};
        meeting.b_transposed = transposed;
        meeting.relu = true;
        check_all_rungs(meeting);
      }
    }
  }

  TEST_CASE("operands with neither stride 1 are read where they are") {
    const std::vector<Real> a = numbers(3 * 20 * 21, 5), b = numbers(2 * 21 * 40, 6);
    std::vector<Real> expected(20 * 40), c(20 * 40);
    MatmulProblem p{20, 40, 21, {a.data(), 3 * 21, 3}, {b.data(), 2 * 40, 2}, expected.data(), 40};
    on_each_isa([&] {
      p.c = expected.data();
      matmul_naive(p);
      for (const Rung& rung : kRungs) {
        CAPTURE(rung.name);
        p.c = c.data();
        rung.multiply(p);
        CHECK(same_bits(c, expected));
      }
    });
  }

  TEST_CASE("the product does not depend on the number of threads") {
    const WithThreads restore;
    // Many rows, few rows, more rows than one block of B has columns; a row, and none, of a B that
    // is worth reading together.
    for (Case c : {Case{200, 70, 140}, Case{40, 700, 140}, Case{300, 600, 20}, Case{1, 701, 200},
                   Case{0, 701, 200}}) {
      for (const bool transposed : {false, true}) {
        c.b_transposed = transposed;
        c.bias = c.relu = true;
        Product product(c);
        const std::vector<Real> expected = product.run(matmul_naive);
        for (const int count : {1, 2, 3}) {
          set_threads(count);
          CAPTURE(count);
          CHECK(same_bits(product.run(matmul), expected));
        }
      }
    }
  }

  TEST_CASE("tasks that multiply at the same time do not disturb each other") {
    const WithThreads restore;
    set_threads(3);
    Product product({23, 70, 130});
    const std::vector<Real> expected = product.run(matmul_naive);
    std::vector<int> right(64, 0);
    parallel_for(64, [&](Index task) {
      Product own({23, 70, 130});
      right[at(task)] = same_bits(own.run(matmul), expected) ? 1 : 0;
    });
    CHECK(right == std::vector<int>(64, 1));
  }

  TEST_CASE("instruction sets agree, bit for bit where both fuse") {
    Case c{45, 70, 300};
    Product product(c);
    const std::vector<Real> truth = product.truth();
    check_same_where_fused([&] {
      const std::vector<Real> result = product.run(matmul);
      CHECK(error_in_norm(result, truth) <= kRounding);
      return result;
    });
  }

  TEST_CASE("a NaN or an infinity in an operand is never lost, not even through ReLU") {
    on_each_isa([&] {
      for (const Rung& rung : kRungs) {
        CAPTURE(rung.name);
        for (const bool relu : {false, true}) {
          Case c{19, 45, 23};
          c.relu = c.bias = relu;
          Product product(c);
          product.A(4, 11) = kNaN;
          product.B(22, 44) = std::numeric_limits<Real>::infinity();
          product.A(18, 22) = 0;  // 0 · ∞
          Matrix result = product.C;
          result.memory = product.run(rung.multiply);
          for (Index j = 0; j < c.n; ++j) CHECK(std::isnan(result(4, j)));
          CHECK(std::isnan(result(18, 44)));
          CHECK(std::isfinite(result(3, 43)));
          if (!relu) CHECK(std::isinf(result(3, 44)));
        }
      }
    });
  }
}
