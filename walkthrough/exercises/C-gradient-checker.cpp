// A gradient checker that cannot be fooled                            ★★ 25 min, C-backpropagation
//
// `claimed` is said to be the gradient of f at x. Check it by central differences in
// every direction i:      ∂f/∂x_i ≈ (f(x + h e_i) − f(x − h e_i)) / 2h,        h = 1e-5
//
// Return whether ‖claimed − differences‖ ≤ 1e-6 · (‖differences‖ + 1e-3), and nothing else is
// wrong.
//
// Checkers have passed gradients that were NaN (what is `NaN > tolerance`?), anything at all where
// a difference was ∞ (what is `∞ <= ∞`?), gradients of the wrong length, and a gradient of 0
// because they divided by the wrong norm. Yours will not.
#include "support/exercise.h"

using Function = std::function<double(const std::vector<double>& x)>;

bool gradient_is_right(const Function& f, std::vector<double> x,
                       const std::vector<double>& claimed) {
  not_yet();
}
