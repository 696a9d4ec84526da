// eˣ on vectors. Write x = n ln 2 + r with whole n and |r| ≤ ln 2 / 2; then eˣ = 2ⁿ eʳ, and eʳ is
// its Taylor series, cut where the next term no longer matters (degree 7 in float, 13 in double).
//
// The error is less than 2 units in the last place. Results below the smallest normal number lose
// digits as IEEE says (gradual underflow) down to 0; e^−∞ = 0, e^∞ = ∞, e^NaN = NaN.
#pragma once

#include "kernels/simd/lanes.h"

namespace attn::ATTENTION_ISA_NAME {

#ifdef ATTENTION_DOUBLE
constexpr Real kLowest = -746, kHighest = 710;  // beyond: 0 and ∞
constexpr Real kLn2High = 0x1.62e42fefa0000p-1, kLn2Low = 0x1.cf79abc9e3b3ap-40;
constexpr Real kRound = 0x1.8p52;  // adding it leaves a whole number in the last bits
constexpr RealBits kMantissaBits = 52, kExponentBias = 1023;
constexpr int kTerms = 13;
#else
constexpr Real kLowest = -104, kHighest = 89;
constexpr Real kLn2High = 0x1.62ep-1f, kLn2Low = 0x1.0bfbe8p-15f;
constexpr Real kRound = 0x1.8p23f;
constexpr RealBits kMantissaBits = 23, kExponentBias = 127;
constexpr int kTerms = 7;
#endif

constexpr Real kLog2E = static_cast<Real>(1.4426950408889634);

struct Series {
  Real factor[kTerms + 1];  // 1/n! of rⁿ
};
static constexpr Series taylor() {
  Series series{};
  double factorial = 1;
  for (int n = 0; n <= kTerms; factorial *= ++n)
    series.factor[n] = static_cast<Real>(1 / factorial);
  return series;
}
constexpr Series kTaylor = taylor();

static inline Vector exp(Vector x) {
  // Both comparisons are false for NaN, which passes unchanged.
  x = x < kLowest ? broadcast(kLowest) : x;
  x = x > kHighest ? broadcast(kHighest) : x;
  const Vector shifted = fma(x, broadcast(kLog2E), broadcast(kRound));
  const Vector n = shifted - kRound;
  // n ln 2 in two parts: n · high is exact, so r has all its digits.
  Vector r = fma(n, broadcast(-kLn2High), x);
  r = fma(n, broadcast(-kLn2Low), r);
  Vector power = broadcast(kTaylor.factor[kTerms]);
  for (int term = kTerms - 1; term >= 0; --term) {
    power = fma(power, r, broadcast(kTaylor.factor[term]));
  }
  // 2ⁿ in two factors, since n may be out of a single one's range.
  const BitsVector whole = (BitsVector)shifted - (BitsVector)broadcast(kRound);
  const BitsVector half = whole >> 1;
  const Vector factor1 = (Vector)((half + kExponentBias) << kMantissaBits);
  const Vector factor2 = (Vector)((whole - half + kExponentBias) << kMantissaBits);
  return power * factor1 * factor2;
}

static inline Lanes exp(const Lanes& x) {
  return lanes_of([&](Index i) { return exp(x.part[i]); });
}

}  // namespace attn::ATTENTION_ISA_NAME
