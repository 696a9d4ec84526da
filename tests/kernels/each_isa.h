// Running a test on every instruction set that this processor has.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "base/random.h"
#include "base/real.h"
#include "kernels/isa.h"

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

// How far two correct results may differ in norm: a few roundings of Real.
constexpr double kRounding = sizeof(Real) == 4 ? 1e-5 : 1e-13;

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

}  // namespace attn::test
