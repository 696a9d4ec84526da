// Running a test on every instruction set that this processor has, and rows for its kernels.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/real.h"
#include "kernels/isa.h"
#include "support/compare.h"

namespace attn::test {

// Runs body() once on each instruction set, and chooses the one before again.
template <class Body>
void on_each_isa(Body&& body) {
  struct Restore {
    std::string name = isa_name();
    ~Restore() { set_isa(name); }
  } restore;
  for (const std::string& name : available_isas()) {
    set_isa(name);
    CAPTURE(name);
    body();
  }
}

// Runs `body` on each instruction set; it returns a result, the fused ones of which must be the
// same.
inline void check_same_where_fused(const std::function<std::vector<Real>()>& body) {
  std::vector<std::vector<Real>> fused;
  on_each_isa([&] {
    const std::vector<Real> result = body();
    if (isa_name() != "portable") fused.push_back(result);
  });
  for (const std::vector<Real>& result : fused) CHECK(same_bits(result, fused[0]));
}

// An index of a std::vector.
inline std::size_t at(Index i) {
  return static_cast<std::size_t>(i);
}

// n numbers between −1 and 1 that depend on the seed.
inline std::vector<Real> numbers(Index n, std::uint64_t seed) {
  const RandomStream random{seed, 1};
  std::vector<Real> x(at(n));
  for (Index i = 0; i < n; ++i) {
    const double u = random.uniform(static_cast<std::uint64_t>(i));
    x[at(i)] = static_cast<Real>(2 * u - 1);
  }
  return x;
}

// A row inside an array of NaNs, which have to be there afterwards and must not get into results.
struct Guarded {
  static constexpr Index kGuard = 19;
  Index n;
  std::vector<Real> memory;

  explicit Guarded(const std::vector<Real>& x) : n(x.size()), memory(at(n + 2 * kGuard), kNaN) {
    std::copy(x.begin(), x.end(), memory.begin() + kGuard);
  }
  Real* data() { return memory.data() + kGuard; }
  std::vector<Real> row() const {
    return std::vector<Real>(memory.begin() + kGuard, memory.end() - kGuard);
  }
  bool intact() const {
    const auto is_nan = [](Real x) { return std::isnan(x); };
    return std::all_of(memory.begin(), memory.begin() + kGuard, is_nan) &&
           std::all_of(memory.end() - kGuard, memory.end(), is_nan);
  }
};

// Runs change(data) on a guarded copy of x and returns the row.
inline std::vector<Real> changed(const std::vector<Real>& x,
                                 const std::function<void(Real*)>& change) {
  Guarded row(x);
  change(row.data());
  CHECK(row.intact());
  return row.row();
}

}  // namespace attn::test
