// The number type of every tensor. The library is built twice: with float to train, and with double
// (-DATTENTION_DOUBLE) to check gradients. One source serves both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

#ifdef ATTENTION_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// Each library defines this function for its own Real, and all code compiled against the library
// refers to it, so the linker refuses to join code of one precision to a library of the other.
void library_is_for(Real);
[[gnu::used]] static void (*const kPrecision)(Real) = library_is_for;

// Sizes, positions and strides, counted in elements. Signed, so that differences are.
using Index = std::ptrdiff_t;

// A size in a formula. Exact up to 2⁵³. (Static, as in base/philox.h.)
static inline double to_double(Index size) {
  return static_cast<double>(size);
}

// Upper limit of steps, tokens and weights: 2^40, or on 32 bits (WebAssembly) the largest Index.
constexpr Index kLargestCount =
    static_cast<Index>(PTRDIFF_MAX < INT64_C(1) << 40 ? PTRDIFF_MAX : INT64_C(1) << 40);

}  // namespace attn
