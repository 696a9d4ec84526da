// What a few seeds can tell. Two variants are compared seed by seed: the same seed gives both the
// same data, so the differences vary less than the values do.
#pragma once

#include <cstdint>
#include <vector>

namespace attn {

double mean(const std::vector<double>& values);

struct Interval {
  double low = 0, high = 0;
};
// Where the mean would lie in 95 of 100 repetitions, by the bootstrap: the middle 95 % of the means
// of `samples` samples of as many values, drawn with replacement. With few values it is too narrow.
Interval bootstrap_interval(const std::vector<double>& values, int samples = 10000,
                            std::uint64_t seed = 1);

// p of the power law y ~ xᵖ nearest to the points: the slope of ln y against ln x, by least
// squares; NaN if a y is not positive. Throws Error unless there are two different x.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

// The paired sign-flip test: if the variants were equally good, each difference could as well have
// had the other sign. Returns the share of all 2^n choices of signs whose mean is at least as far
// from 0 as the one found. It is at least 2/2^n: five seeds can never give less than 0.0625, six
// give 0.03125. Throws Error for no differences or more than 20.
double sign_flip_p(const std::vector<double>& differences);

// Holm's correction (1979) for several comparisons at once: with all p values multiplied so, the
// chance of a single wrong "p < 0.05" among them is at most 0.05. In the order given.
std::vector<double> holm(const std::vector<double>& p);

}  // namespace attn
