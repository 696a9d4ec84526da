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

// The paired sign-flip test of several variants at once, each a row of differences, seed by seed:
// if a variant were as good as what it is compared with, its differences could as well have had the
// other sign. All rows change the sign of a seed together, and a row is as far from 0 as the mean
// is in units of its own spread, |Σ d|/√(Σ d²). p is the share of all 2^n choices of signs in which
// the farthest of the rows is at least as far as this one was found; for all rows but the farthest,
// of the rows that are no farther (the step-down of Westfall & Young 1993). So the chance of a
// single wrong "p < 0.05" among them is at most 0.05, and no p is below 2/2^n: 0.0625 with five
// seeds, 0.03125 with six, however many rows. (Multiplying the p of each row by their number, as
// Bonferroni and Holm do, would leave nothing below 0.05.) For a single row this is the ordinary
// test. Throws Error unless all rows have as many differences, 1 to 20.
std::vector<double> sign_flip_p(const std::vector<std::vector<double>>& differences);

}  // namespace attn
