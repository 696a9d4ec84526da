// The two limits of a processor, as loops that do nothing else: how many multiply-adds it can do,
// and how fast numbers come from memory and go there. Other kernels are measured against them.
// Functions here run on the calling thread.
#pragma once

#include "base/real.h"

namespace attn {

// `steps` times one multiply-add in every lane of several vectors, which stay in registers and do
// not wait for each other. Returns how many operations that were, a multiply-add being two; `sink`
// receives their sum, so that no compiler leaves them out.
double peak_multiply_adds(Index steps, Real* sink);

// Σ x: reads n numbers.
Real stream_sum(Index n, const Real* x);
// z ← x + a y: reads 2 n numbers and writes n, the "triad" of McCalpin's STREAM (1995).
void stream_triad(Index n, Real a, const Real* x, const Real* y, Real* z);

}  // namespace attn
