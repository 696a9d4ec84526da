// The best h is found by trying many, not by the derivation.
#include "support/checks.h"

static const exercises::Exercise c_step_size("C-step-size", [](exercises::Answers& answers) {
  const auto best = [](const std::function<double(double)>& error) {
    double found = 1;
    for (double h = 1; h > 1e-12; h *= 0.999) {
      if (error(h) < error(found)) found = h;
    }
    return found;
  };
  const auto central = [](double epsilon) {
    return [epsilon](double h) { return h * h / 6 + epsilon / h; };
  };
  const double in_double = 1.1e-16, in_float = 6.0e-8;
  const double truncation = std::sinh(0.01) / 0.01 - 1;
  const char* const slope = "Write the sum as a function of h; where is its slope 0?";
  answers.number("a", truncation, "h²/6·f‴ with f‴ = 1.", {}, 0.05);
  answers.number("b", in_float / 0.01, "Two values off by ε, divided by 2h.",
                 {{in_float / 0.02, "Two values are rounded, each by up to ε."}}, 0.03);
  answers.number("c", best(central(in_double)), slope, {}, 0.05);
  answers.number("d", best(central(in_float)), slope, {}, 0.05);
  answers.number("e", central(in_double)(best(central(in_double))), "Put h of c into the sum.", {},
                 0.05);
  answers.number("f", central(in_float)(best(central(in_float))), "Put h of d into the sum.", {},
                 0.05);
  answers.number("g", best([&](double h) { return h / 2 + 2 * in_double / h; }), slope,
                 {{std::sqrt(2 * in_double), "Both values are rounded: 2ε/h."}}, 0.05);
});
