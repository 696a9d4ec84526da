// Gates that are nearly open or shut by hand, then finite differences of the equations.
#include "support/checks.h"

static const exercises::Exercise gru_backward_exercise("1-gru-backward", [](exercises::Checks&
                                                                                check) {
  using namespace exercises;
  const auto one = [](double x) { return tensor_of({1}, {x}); };
  check.claim("z = 1 keeps the state: dh = dh′, and nothing reaches the candidate");
  const GruGradients kept = gru_step_backward(one(5), {one(0.5), one(1), one(0.2), one(3), one(2)});
  check.number("dh", kept.dh[0], 5, "h′ = z ⊙ h + …");
  check.number("da_n", kept.da_n[0], 0, "1 − z = 0.");
  check.claim(
      "z = 0.4, r = 0.2, ñ = ½, m = 3, h = 2, dh′ = 5: da_n = 2.25, dm = 0.45, da_r = 1.08");
  const GruGradients half =
      gru_step_backward(one(5), {one(0.2), one(0.4), one(0.5), one(3), one(2)});
  check.number("da_n", half.da_n[0], 2.25, "dh′ (1 − z), times tanh's slope, 1 − ñ².");
  check.number("dm", half.dm[0], 0.45, "da_n r.");
  check.number("da_r", half.da_r[0], 1.08, "da_n m r (1 − r). (6.75: σ's slope is missing.)");
  check.number("da_z", half.da_z[0], 1.8,
               "z scales h up and ñ down: dh′ (h − ñ), times z (1 − z).");

  const Index n = 5;
  Tensor a_r = random_tensor({n}, 1), a_z = random_tensor({n}, 2), a_n = random_tensor({n}, 3);
  Tensor m = random_tensor({n}, 4), h = random_tensor({n}, 5);
  const Tensor dh = random_tensor({n}, 6);
  GruValues values{a_r, a_z, a_n, m, h};
  const auto loss = [&] {
    double sum = 0;
    for (Index j = 0; j < n; ++j) {
      values.r[j] = 1 / (1 + std::exp(-a_r[j]));
      values.z[j] = 1 / (1 + std::exp(-a_z[j]));
      values.candidate[j] = std::tanh(a_n[j] + values.r[j] * m[j]);
      sum += dh[j] * ((1 - values.z[j]) * values.candidate[j] + values.z[j] * h[j]);
    }
    return sum;
  };
  loss();
  const GruGradients found = gru_step_backward(dh, values);
  check.claim("n = 5: all five agree with finite differences");
  check.gradient("dh", found.dh, h, loss, "The direct path only: dh′ ⊙ z.");
  check.gradient("da_n", found.da_n, a_n, loss, "");
  check.gradient("dm", found.dm, m, loss, "");
  check.gradient("da_r", found.da_r, a_r, loss, "r acts through ñ only.");
  check.gradient("da_z", found.da_z, a_z, loss, "");
});
