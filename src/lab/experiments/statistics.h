// What a few seeds can tell. Two variants are compared seed by seed: a seed gives both the same
// data, so the differences vary less than the values do.
#pragma once

#include <cstdint>
#include <vector>

namespace attn {

double mean(const std::vector<double>& values);

struct Interval {
  double low = 0, high = 0;
};
// An interval for the mean, by the bootstrap: the middle 95 % of the means of `samples` samples of
// as many values, drawn with replacement. With few values it is too narrow: of six normally
// distributed ones, it holds the true mean in 86 cases of 100, not in 95.
Interval bootstrap_interval(const std::vector<double>& values, int samples = 10000,
                            std::uint64_t seed = 1);

// p of the power law y ~ xᵖ nearest to the points: the slope of ln y against ln x, by least
// squares; NaN if a y is not positive. Throws Error unless there are two different x.
double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y);

// The paired sign-flip test, of several variants at once. A row holds one variant's differences
// from the baseline, seed by seed. If the variant were as good as the baseline, each difference
// could as well have had the other sign; p is the share of all 2^n choices of signs that give a row
// a distance |Σ d|/√(Σ d²) from 0 at least as large as the one found.
//
// With many rows, some row is far from 0 by chance. So a choice of signs applies to all rows at
// once, and counts if *any* of the rows no farther from 0 than this one reaches its distance: the
// step-down of Westfall & Young (1993). The chance of a single wrong "p < 0.05" among all rows is
// then at most 0.05. No p is below 2/2^n, 0.0625 for five seeds and 0.03125 for six, however many
// rows there are; Bonferroni's or Holm's correction would multiply that by their number.
//
// Returns a p for each row. Throws Error unless all have as many differences, 1 to 20.
std::vector<double> sign_flip_p(const std::vector<std::vector<double>>& differences);

}  // namespace attn
