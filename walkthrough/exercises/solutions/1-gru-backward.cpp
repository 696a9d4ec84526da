// Undo the equations from the last to the first; σ′ = σ (1 − σ) and tanh′ = 1 − tanh².
#include "support/exercise.h"

struct GruValues {
  Tensor r, z, candidate, m, h;  // candidate: ñ
};

struct GruGradients {
  Tensor da_r, da_z, da_n, dm, dh;
};

GruGradients gru_step_backward(const Tensor& dh_new, const GruValues& values) {
  GruGradients d{dh_new, dh_new, dh_new, dh_new, dh_new};
  for (Index j = 0; j < dh_new.elements(); ++j) {
    const double r = values.r[j], z = values.z[j], candidate = values.candidate[j];
    // h′ = (1 − z) ⊙ ñ + z ⊙ h
    const double dcandidate = dh_new[j] * (1 - z), dz = dh_new[j] * (values.h[j] - candidate);
    d.dh[j] = dh_new[j] * z;

    // ñ = tanh(a_n + r ⊙ m)
    d.da_n[j] = dcandidate * (1 - candidate * candidate);
    const double dr = d.da_n[j] * values.m[j];
    d.dm[j] = d.da_n[j] * r;

    d.da_r[j] = dr * r * (1 - r);
    d.da_z[j] = dz * z * (1 - z);
  }
  return d;
}
