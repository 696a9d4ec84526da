// What a few seeds can tell. Two variants are compared seed by seed: a seed gives both the same
// data, so the differences vary less than the values do.
#pragma once

#include <cstddef>
#include <vector>

namespace attn {

double mean(const std::vector<double>& values);

struct Interval {
  double low = 0, high = 0;
};
// The mean ± t s/√n: holds the true mean in 95 experiments of 100, if the values are normally
// distributed. s is their standard deviation, t the quantile of Student's distribution with n − 1
// degrees of freedom, 2.57 for n = 6. A single value is returned as it is. Throws Error unless
// there are 1 to 20.
Interval student_interval(const std::vector<double>& values);
double standard_deviation(const std::vector<double>& values);  // 0 of a single one

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

// What this test can see: the true difference of one of `rows` variants for which its p is below
// 0.05 in four experiments of five, in standard deviations of its differences. Infinite where no
// difference is large enough, as with five seeds. Found by simulating experiments in which every
// variant's values, the baseline's among them, are normally distributed with equal spread.
double detectable_difference(std::size_t rows, std::size_t seeds);

}  // namespace attn
