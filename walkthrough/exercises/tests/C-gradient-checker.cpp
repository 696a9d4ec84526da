// Gradients that are known by heart, and ways of being wrong.
#include "support/checks.h"

static const exercises::Exercise c_gradient_checker(
    "C-gradient-checker", [](exercises::Checks& check) {
      using Numbers = std::vector<double>;
      // f = x₀² x₁ + sin x₂, so the gradient is (2 x₀ x₁, x₀², cos x₂).
      const auto f = [](const Numbers& x) { return x[0] * x[0] * x[1] + std::sin(x[2]); };
      const Numbers x = {3, 0.5, 1}, right = {3, 9, std::cos(1.0)};
      const auto scaled = [&](double factor) {
        Numbers g = right;
        for (double& value : g) value *= factor;
        return g;
      };
      check.claim("the right gradient is right");
      check.that(gradient_is_right(f, x, right),
                 "You say it is wrong. Is x[i] put back after step i?");
      check.claim("the step size is 1e-5");
      double farthest = 0;
      const auto watched = [&](const Numbers& z) {
        for (std::size_t i = 0; i < z.size(); ++i) {
          farthest = std::max(farthest, std::fabs(z[i] - x[i]));
        }
        return f(z);
      };
      gradient_is_right(watched, x, right);
      check.number("h", farthest, 1e-5, "It is the same for all x_i, and in double.", 1e-14);
      check.claim("5 % too small is wrong");
      check.that(!gradient_is_right(f, x, scaled(0.95)), "You say it is right.");
      check.claim("an error of 9.2e-6 in one element is small, one of 11e-6 is not");
      check.that(gradient_is_right(f, x, {3, 9, right[2] + 9.2e-6}),
                 "You say that 9.2e-6 is wrong. A millionth of the norm is 9.5e-6. "
                 "(Are the differences central?)");
      check.that(!gradient_is_right(f, x, {3, 9, right[2] + 11e-6}),
                 "You say that 11e-6 is right. "
                 "A millionth of the norm √(3² + 9² + …) is 9.5e-6.");
      check.claim("three of 6e-6 are not either, three of 5e-6 are: the norm counts");
      const auto off = [&](double by) { return Numbers{3 + by, 9 - by, right[2] + by}; };
      check.that(!gradient_is_right(f, x, off(6e-6)),
                 "You say that they are right. Their norm is √3 · 6e-6, more than 9.5e-6.");
      check.that(gradient_is_right(f, x, off(5e-6)),
                 "You say that they are wrong. Their norm is √3 · 5e-6, less than 9.5e-6.");
      check.claim("0 is wrong");
      check.that(!gradient_is_right(f, x, scaled(0)), "You say it is right.");
      check.claim("swapping two elements is wrong");
      check.that(!gradient_is_right(f, x, {9, 3, std::cos(1.0)}), "You say it is right.");
      check.claim("one wrong element of a thousand is found");
      const auto many = [](const Numbers& y) {
        double sum = 0;
        for (const double value : y) sum += value * value;
        return sum;
      };
      Numbers y(1000, 1), dy(1000, 2);
      check.that(gradient_is_right(many, y, dy), "Before it is made wrong, you say it is wrong.");
      dy[999] = 2.1;
      check.that(!gradient_is_right(many, y, dy), "You say it is right.");
      check.claim("NaN is wrong, and so is ∞");
      check.that(
          !gradient_is_right(f, x, {3, std::nan(""), right[2]}),
          "You say that NaN is right. `NaN > tolerance` is false, and so is `NaN < tolerance`.");
      check.that(!gradient_is_right(f, x, {3, HUGE_VAL, right[2]}), "You say that ∞ is right.");
      check.claim("where f is NaN, or ∞ or NaN on one side, no gradient is right");
      check.that(!gradient_is_right([](const Numbers&) { return std::nan(""); }, x, right),
                 "You say it is right.");
      for (const double beyond : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
        const auto wall = [&](const Numbers& z) { return z[0] > 1 ? beyond : z[0]; };
        const auto before = [&](const Numbers& z) { return z[0] < 1 ? beyond : z[0]; };
        check.that(!gradient_is_right(wall, {1}, {1}) && !gradient_is_right(before, {1}, {1}),
                   "You say it is right where the difference is " + exercises::show(beyond) +
                       ". `∞ <= ∞` is true, `NaN > tolerance` is false.");
      }
      check.claim("too few and too many numbers are wrong");
      check.that(!gradient_is_right(f, x, {3, 9}), "You accept 2 numbers for 3.");
      check.that(!gradient_is_right(f, x, {3, 9, right[2], 0}), "You accept 4 numbers for 3.");
      check.claim("a gradient that is truly 0 is right when 0 is claimed, and 1.1e-9 is not");
      const auto constant = [](const Numbers&) { return 7.0; };
      check.that(gradient_is_right(constant, x, {0, 0, 0}), "You say it is wrong: 0/0, perhaps?");
      check.that(!gradient_is_right(constant, x, {0, 1.1e-9, 0}),
                 "You say that 1.1e-9 is right. Allowed is 1e-6 · (0 + 1e-3).");
      check.that(gradient_is_right(constant, {}, {}),
                 "You say that a gradient of no numbers is wrong.");
      check.claim("next to a gradient of 0.001, 1.8e-9 is a small error, 2.2e-9 is not");
      const auto flat = [](const Numbers& z) { return 1e-3 * z[0]; };
      check.that(gradient_is_right(flat, {1}, {1e-3 + 1.8e-9}),
                 "You say that 1.8e-9 is wrong. Allowed is 1e-6 · (1e-3 + 1e-3).");
      check.that(!gradient_is_right(flat, {1}, {1e-3 + 2.2e-9}),
                 "You say that 2.2e-9 is right. Allowed is 1e-6 · (1e-3 + 1e-3).");
    });
