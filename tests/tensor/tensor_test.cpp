#include "tensor/tensor.h"

#include <doctest/doctest.h>

#include <limits>
#include <utility>

#ifdef __linux__
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#endif

#include "base/parallel.h"
#include "support/random_tensors.h"

using namespace attn;
using namespace attn::test;

namespace {

constexpr Index kHuge = std::numeric_limits<Index>::max();

Tensor numbers(const Shape& shape) {
  Tensor x = Tensor::zeros(shape);
  for (Index i = 0; i < x.elements(); ++i) x[i] = static_cast<Real>(i);
  return x;
}

}  // namespace

TEST_SUITE("A tensor") {
  TEST_CASE("a shape knows its elements and prints itself") {
    CHECK(Shape().elements() == 0);
    CHECK(Shape({7}).elements() == 7);
    CHECK(Shape({2, 3, 5, 7}).elements() == 210);
    CHECK(Shape({2, 0, 5}).elements() == 0);
    CHECK(to_string(Shape({3, 512})) == "[3, 512]");
    CHECK(to_string(Shape()) == "[]");
  }

  TEST_CASE("shapes are equal if rank and sizes are") {
    CHECK(Shape({2, 3}) == Shape({2, 3}));
    CHECK(Shape({2, 3}) != Shape({3, 2}));
    CHECK(Shape({2, 3}) != Shape({2, 3, 1}));
    CHECK(Shape({0}) != Shape());
  }

  TEST_CASE("five axes, a negative size and a size that overflows are errors, not surprises") {
    CHECK_THROWS_WITH_AS(Tensor::zeros({1, 1, 1, 1, 1}), "a tensor has at most 4 axes, not 5",
                         Error);
    CHECK_THROWS_WITH_AS(Tensor::zeros({2, -3}), "axis 1 of a tensor has the negative size -3",
                         Error);
    CHECK_THROWS_AS(Tensor::zeros({kHuge}), Error);
    CHECK_THROWS_AS(Tensor::zeros({kHuge / 2, 3}), Error);
    // 2³² · 2³² is 0 modulo 2⁶⁴; the elements would seem to fit. (2¹⁶ and 2³² where an Index has 32
    // bits.)
    const Index half = Index{1} << 4 * sizeof(Index);
    CHECK_THROWS_AS(Tensor::zeros({half, half}), Error);
    // The elements fit an Index, their bytes do not.
    CHECK_THROWS_AS(Tensor::zeros({kHuge / static_cast<Index>(sizeof(Real)) + 1}), Error);
  }

  TEST_CASE("memory that is not there is an error") {
    // The largest tensor that a shape can have: its bytes would be half of all addresses.
    const Index most = kHuge / static_cast<Index>(sizeof(Real));
    CHECK_THROWS_WITH_AS(Tensor::uninitialised({most}), doctest::Contains("out of memory"), Error);
  }

#if defined(__linux__) && !defined(ATTENTION_SANITIZED)
  TEST_CASE("freed memory of other sizes is given back when the system has no more") {
    const pid_t child = fork();
    if (child == 0) {
      // As much as the process has, which is the first number of the file, and 300 MB.
      rlim_t pages = 0;
      std::ifstream("/proc/self/statm") >> pages;
      const rlim_t most = pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + 300'000'000;
      const rlimit limit{most, most};
      if (setrlimit(RLIMIT_AS, &limit) != 0) _exit(2);
      try {
        for (const Index megabytes : {40, 50, 60, 70, 80, 100, 120, 140, 160, 200}) {
          Tensor::uninitialised({megabytes * 1'000'000 / static_cast<Index>(sizeof(Real))});
        }
      } catch (const Error&) {
        _exit(1);
      }
      _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 0);
  }
#endif

  TEST_CASE("a tensor is a matrix of its last axis, row after row") {
    const Tensor x = numbers({2, 3, 4});
    CHECK(x.rows() == 6);
    CHECK(x.cols() == 4);
    CHECK(x(5, 2) == 22);
    CHECK(x.row(5)[2] == 22);
    CHECK(x[22] == 22);
    CHECK(numbers({5}).rows() == 1);
    CHECK(numbers({5}).cols() == 5);
    CHECK(Tensor().rows() == 0);
    CHECK(Tensor().cols() == 0);
  }

  TEST_CASE("tensors without elements keep their rows and columns") {
    CHECK(Tensor::zeros({0, 4}).rows() == 0);
    CHECK(Tensor::zeros({0, 4}).cols() == 4);
    CHECK(Tensor::zeros({4, 0}).rows() == 4);
    CHECK(Tensor::zeros({4, 0}).cols() == 0);
    CHECK(Tensor::zeros({4, 0}).empty());
  }

  TEST_CASE("a copy is equal and independent") {
    const Tensor x = numbers({2, 3});
    Tensor y = x;
    CHECK(same(x, y));
    y[0] = 100;
    CHECK(x[0] == 0);
    Tensor z = numbers({7});
    z = x;
    CHECK(same(z, x));
    z(1, 2) = -1;
    CHECK(x(1, 2) == 5);
    const Tensor& self = z;
    z = self;
    CHECK(z(1, 2) == -1);
    const Tensor none = Tensor::zeros({0, 3}), copy = none;
    CHECK(copy.shape() == Shape{0, 3});
  }

  TEST_CASE("a move takes the memory and leaves an empty tensor") {
    Tensor x = numbers({2, 3});
    const Real* memory = x.data();
    Tensor y = std::move(x);
    CHECK(y.data() == memory);
    CHECK(y.shape() == Shape{2, 3});
    CHECK(x.empty());
    CHECK(x.shape() == Shape());
    Tensor z;
    z = std::move(y);
    CHECK(z.data() == memory);
    CHECK(same(z, numbers({2, 3})));
  }

  TEST_CASE("the same numbers under another shape, without a copy") {
    Tensor x = numbers({2, 6});
    const Real* memory = x.data();
    const Tensor y = std::move(x).reshaped({3, 4});
    CHECK(y.data() == memory);
    CHECK(y(2, 1) == 9);
    CHECK_THROWS_WITH_AS(Tensor(y).reshaped({5, 2}), "cannot see [3, 4] as [5, 2]", Error);
  }

  TEST_CASE("zeros are zeros even in memory that was used before") {
    for (int round = 0; round < 3; ++round) {
      Tensor x = Tensor::zeros({100});
      for (Index i = 0; i < 100; ++i) REQUIRE(x[i] == 0);
      x.fill(7);
    }
  }

  TEST_CASE("memory begins on a cache line, whatever the size") {
    for (const Index n : {1, 3, 17, 64, 65, 1000, 4097}) {
      CHECK(reinterpret_cast<std::uintptr_t>(Tensor::zeros({n}).data()) % 64 == 0);
    }
  }

  TEST_CASE("tensors of every size hold their numbers, side by side") {
    std::vector<Tensor> all;
    for (Index n = 0; n < 700; n += 13) all.push_back(Tensor::zeros({n}));
    for (Tensor& x : all) x.fill(static_cast<Real>(x.elements()));
    for (const Tensor& x : all) {
      for (Index i = 0; i < x.elements(); ++i) REQUIRE(x[i] == static_cast<Real>(x.elements()));
    }
  }

#ifdef ATTENTION_CHECKED
  TEST_CASE("checked builds: what was never written is NaN, and indices are looked at") {
    const Tensor x = Tensor::uninitialised({2, 3});
    for (Index i = 0; i < 6; ++i) CHECK(x[i] != x[i]);
    CHECK_THROWS_AS(x[6], Error);
    CHECK_THROWS_AS(x[-1], Error);
    CHECK_THROWS_AS(x(2, 0), Error);
  }
#endif

  TEST_CASE("add is y += x, for one shape") {
    Tensor y = numbers({2, 3});
    add(numbers({2, 3}), y);
    for (Index i = 0; i < 6; ++i) CHECK(y[i] == static_cast<Real>(2 * i));
    CHECK_THROWS_WITH_AS(add(numbers({3, 2}), y), "cannot add [3, 2] to [2, 3]", Error);
    Tensor large = numbers({70001});
    add(numbers({70001}), large);
    CHECK(large[70000] == 140000);
    CHECK(large[32768] == 65536);
  }

  TEST_CASE("is_finite sees one NaN or infinity anywhere") {
    Tensor x = numbers({5, 7});
    CHECK(is_finite(x));
    CHECK(is_finite(Tensor()));
    const Real infinity = std::numeric_limits<Real>::infinity();
    for (const Real bad : {std::numeric_limits<Real>::quiet_NaN(), infinity, -infinity}) {
      for (const Index i : {0, 17, 34}) {
        Tensor y = x;
        y[i] = bad;
        CHECK_FALSE(is_finite(y));
      }
    }
  }

  TEST_CASE("sum_of_squares is the same bits on any number of threads") {
    CHECK(sum_of_squares(tensor_of({4}, {1, -2, 3, 0.5})) == 14.25);
    CHECK(sum_of_squares(Tensor()) == 0);
    const Tensor x = random_tensor({100003}, 1);
    double expected = 0;
    for (Index i = 0; i < x.elements(); ++i) expected += static_cast<double>(x[i] * x[i]);
    set_threads(1);
    const double one = sum_of_squares(x);
    set_threads(5);
    const double five = sum_of_squares(x);
    set_threads(2);
    CHECK(one == five);
    CHECK(one == doctest::Approx(expected).epsilon(1e-5));
  }

  TEST_CASE("sums of columns: right, added to what is there, the same bits on any threads") {
    for (const Index rows : {0, 1, 63, 64, 65, 1000}) {
      for (const Index cols : {1, 5, 16, 33}) {
        const Tensor x = random_tensor({rows, cols}, 1), y = random_tensor({rows, cols}, 2);
        Tensor first_sums, first_dots;
        for (const int count : {1, 2, 5}) {
          set_threads(count);
          Tensor sums = Tensor::zeros({cols}), dots = Tensor::zeros({cols});
          sums.fill(10);
          dots.fill(20);
          add_column_sums(x, sums);
          add_column_dots(x, y, dots);
          if (count == 1) {
            first_sums = sums;
            first_dots = dots;
          }
          REQUIRE(same(sums, first_sums));
          REQUIRE(same(dots, first_dots));
        }
        set_threads(2);
        for (Index j = 0; j < cols; ++j) {
          double sum = 10, dot = 20;
          Real ascending = 0;  // the one chunk of few rows, bit for bit
          for (Index i = 0; i < rows; ++i) ascending += x(i, j);
          if (rows <= 64) CHECK(first_sums[j] == 10 + ascending);
          for (Index i = 0; i < rows; ++i) {
            sum += static_cast<double>(x(i, j));
            dot += static_cast<double>(x(i, j)) * static_cast<double>(y(i, j));
          }
          CHECK(std::abs(static_cast<double>(first_sums[j]) - sum) < 1e-4);
          CHECK(std::abs(static_cast<double>(first_dots[j]) - dot) < 1e-4);
        }
      }
    }
    Tensor narrow = Tensor::zeros({3});
    CHECK_THROWS_AS(add_column_sums(Tensor::zeros({2, 4}), narrow), Error);
    Tensor sums = Tensor::zeros({4});
    CHECK_THROWS_AS(add_column_dots(Tensor::zeros({2, 4}), Tensor::zeros({3, 4}), sums), Error);
  }
}
