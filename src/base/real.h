// The number type of every tensor. The library is built twice: with float to train, and with double
// (-DATTENTION_DOUBLE) to check gradients. One source serves both.
#pragma once

#include <cstddef>
#include <cstdint>

// Types that hold numbers live in an inline namespace named after the precision, so that code
// compiled for one cannot be linked with a library compiled for the other by mistake.
#ifdef ATTENTION_DOUBLE
#define ATTN_PRECISION f64
#else
#define ATTN_PRECISION f32
#endif

namespace attn {

#ifdef ATTENTION_DOUBLE
using Real = double;
#else
using Real = float;
#endif

// Sizes, positions and strides, counted in elements. Signed, so that differences are.
using Index = std::ptrdiff_t;

}  // namespace attn
