// Finite differences of f(x) = x⁴ at 1.1, where f' = 4 · 1.1³ (appendix C).
#pragma once

#include <cmath>

namespace attn::walkthrough {

template <class Number>
Number fourth_power(Number x) {
  return x * x * x * x;
}

// The relative error of a difference quotient with this step.
template <class Number>
double error_of_quotient(double step, bool central) {
  const Number x = static_cast<Number>(1.1), h = static_cast<Number>(step);
  const Number above = x + h, below = central ? x - h : x;
  const Number quotient = (fourth_power(above) - fourth_power(below)) / (above - below);
  const double truth = 4 * 1.1 * 1.1 * 1.1;
  return std::abs(static_cast<double>(quotient) - truth) / truth;
}

}  // namespace attn::walkthrough
