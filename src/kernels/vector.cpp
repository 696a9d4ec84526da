// The functions of the chosen instruction set (kernels/simd/vector.cpp).
#include "kernels/vector.h"

#include "kernels/isa.h"
#include "kernels/simd/table.h"

namespace attn {

void vector_add(Index n, const Real* x, Real* y) {
  kernels().vector_add(n, x, y);
}

void vector_axpy(Index n, Real a, const Real* x, Real* y) {
  kernels().vector_axpy(n, a, x, y);
}

void vector_scale(Index n, Real a, Real* x) {
  kernels().vector_scale(n, a, x);
}

void vector_scaled_copy(Index n, Real a, const Real* x, Real* y) {
  kernels().vector_scaled_copy(n, a, x, y);
}

void vector_exp(Index n, const Real* x, Real* y) {
  kernels().vector_exp(n, x, y);
}

void vector_relu_backward(Index n, const Real* h, Real* dh) {
  kernels().vector_relu_backward(n, h, dh);
}

double vector_sum_of_squares(Index n, const Real* x) {
  return kernels().vector_sum_of_squares(n, x);
}

void vector_dropout(Index n, double p, std::uint64_t seed, std::uint64_t stream,
                    std::uint64_t first, Real* x) {
  kernels().vector_dropout(n, p, seed, stream, first, x);
}

void vector_adam(Index n, const AdamStep& step, const Real* g, Real* w, Real* m, Real* v) {
  kernels().vector_adam(n, step, g, w, m, v);
}

}  // namespace attn
