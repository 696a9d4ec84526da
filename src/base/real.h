// The number type of every tensor. The library is built twice: with float to train, and with double
// (-DATTENTION_DOUBLE) to check gradients. One source serves both.
#pragma once

#include <cstddef>
#include <cstdint>

namespace attn {

// Each library defines one of two symbols, and whatever is compiled against it refers to that one,
// so that the linker refuses code for one precision beside a library for the other.
#ifdef ATTENTION_DOUBLE
using Real = double;
extern const char library_for_double;
[[gnu::used]] static const char* const kPrecision = &library_for_double;
#else
using Real = float;
extern const char library_for_float;
[[gnu::used]] static const char* const kPrecision = &library_for_float;
#endif

// Sizes, positions and strides, counted in elements. Signed, so that differences are.
using Index = std::ptrdiff_t;

}  // namespace attn
