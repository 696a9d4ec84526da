// σ' = σ (1 − σ) and tanh' = 1 − tanh²: backward needs the gates but not their inputs.
#include "lab/predecessors/cells.h"

#include "kernels/kernels.h"

namespace attn {

Index gates_of(Cell cell) {
  return cell == Cell::rnn ? 1 : cell == Cell::gru ? 3 : 4;
}

void sigmoid(Index n, Real* x) {
  kernels().vector_scaled_copy(n, -1, x, x);
  kernels().vector_exp(n, x, x);
  for (Index j = 0; j < n; ++j) x[j] = 1 / (1 + x[j]);
}

// tanh x = 1 − 2/(e^2x + 1)
void hyperbolic_tangent(Index n, Real* x) {
  kernels().vector_scaled_copy(n, 2, x, x);
  kernels().vector_exp(n, x, x);
  for (Index j = 0; j < n; ++j) x[j] = 1 - 2 / (x[j] + 1);
}

void hyperbolic_tangent_backward(Index n, const Real* y, Real* dy) {
  for (Index j = 0; j < n; ++j) dy[j] *= 1 - y[j] * y[j];
}

void rnn_forward(Index n, Real* a, Real* h) {
  hyperbolic_tangent(n, a);
  for (Index j = 0; j < n; ++j) h[j] = a[j];
}

// h' = tanh(a) gives da = dh' ⊙ (1 − h'²); the old state reaches h' only through U.
void rnn_backward(Index n, const Real* a, Real* dh, Real* da) {
  for (Index j = 0; j < n; ++j) {
    da[j] = dh[j] * (1 - a[j] * a[j]);
    dh[j] = 0;
  }
}

void lstm_forward(Index n, Real* a, const Real* c_old, Real* c, Real* tanh_c, Real* h) {
  sigmoid(3 * n, a);
  hyperbolic_tangent(n, a + 3 * n);
  const Real *i = a, *f = a + n, *o = a + 2 * n, *g = a + 3 * n;
  for (Index j = 0; j < n; ++j) tanh_c[j] = c[j] = f[j] * c_old[j] + i[j] * g[j];
  hyperbolic_tangent(n, tanh_c);
  for (Index j = 0; j < n; ++j) h[j] = o[j] * tanh_c[j];
}

void lstm_backward(Index n, const Real* a, const Real* c_old, const Real* tanh_c, Real* dh,
                   Real* dc, Real* da) {
  const Real *i = a, *f = a + n, *o = a + 2 * n, *g = a + 3 * n;
  for (Index j = 0; j < n; ++j) {
    // h' = o ⊙ tanh(c') adds to the gradient of c' from later steps.
    const Real dc_new = dc[j] + dh[j] * o[j] * (1 - tanh_c[j] * tanh_c[j]);
    const Real d_o = dh[j] * tanh_c[j];

    // c' = f ⊙ c + i ⊙ g
    const Real di = dc_new * g[j], df = dc_new * c_old[j], dg = dc_new * i[j];
    dc[j] = dc_new * f[j];
    dh[j] = 0;

    // Through σ, σ, σ and tanh.
    da[j] = di * i[j] * (1 - i[j]);
    da[n + j] = df * f[j] * (1 - f[j]);
    da[2 * n + j] = d_o * o[j] * (1 - o[j]);
    da[3 * n + j] = dg * (1 - g[j] * g[j]);
  }
}

void gru_forward(Index n, Real* a, const Real* u, const Real* h_old, Real* m, Real* h) {
  for (Index j = 0; j < 2 * n; ++j) a[j] += u[j];
  sigmoid(2 * n, a);
  const Real *r = a, *z = a + n;
  Real* const candidate = a + 2 * n;  // ñ
  for (Index j = 0; j < n; ++j) {
    m[j] = u[2 * n + j];
    candidate[j] += r[j] * m[j];
  }
  hyperbolic_tangent(n, candidate);
  for (Index j = 0; j < n; ++j) h[j] = (1 - z[j]) * candidate[j] + z[j] * h_old[j];
}

void gru_backward(Index n, const Real* a, const Real* m, const Real* h_old, Real* dh, Real* da,
                  Real* du) {
  const Real *r = a, *z = a + n, *candidate = a + 2 * n;
  for (Index j = 0; j < n; ++j) {
    // h' = (1 − z) ⊙ ñ + z ⊙ h
    const Real dcandidate = dh[j] * (1 - z[j]), dz = dh[j] * (h_old[j] - candidate[j]);
    dh[j] *= z[j];

    // ñ = tanh(x W_n + b_n' + r ⊙ m)
    const Real dn = dcandidate * (1 - candidate[j] * candidate[j]);
    const Real dr = dn * m[j], dm = dn * r[j];

    // r and z are functions of x W + h U; ñ has m in the place of h U.
    du[j] = da[j] = dr * r[j] * (1 - r[j]);
    du[n + j] = da[n + j] = dz * z[j] * (1 - z[j]);
    da[2 * n + j] = dn;
    du[2 * n + j] = dm;
  }
}

}  // namespace attn
