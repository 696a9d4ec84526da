// eˣ on vectors. Write x = n ln 2 + r with whole n and |r| ≤ ln 2 / 2; then eˣ = 2ⁿ eʳ, and eʳ is
// its Taylor series, cut where the next term no longer matters (degree 7 in float, 13 in double).
//
// The error is below 2 units in the last place. Results below the smallest normal number lose
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
constexpr Real kInverseFactorial[] = {
    1,
    1,
    static_cast<Real>(1.0 / 2),
    static_cast<Real>(1.0 / 6),
    static_cast<Real>(1.0 / 24),
    static_cast<Real>(1.0 / 120),
    static_cast<Real>(1.0 / 720),
    static_cast<Real>(1.0 / 5040),
    static_cast<Real>(1.0 / 40320),
    static_cast<Real>(1.0 / 362880),
    static_cast<Real>(1.0 / 3628800),
    static_cast<Real>(1.0 / 39916800),
    static_cast<Real>(1.0 / 479001600),
    static_cast<Real>(1.0 / 6227020800),
};

static inline Vector exp(Vector x) {
  // Both comparisons are false for NaN, which so goes its way.
  x = x < kLowest ? broadcast(kLowest) : x;
  x = x > kHighest ? broadcast(kHighest) : x;
  const Vector shifted = fma(x, broadcast(kLog2E), broadcast(kRound));
  const Vector n = shifted - kRound;
  // n ln 2 in two parts: n · high is exact, so r has all its digits.
  Vector r = fma(n, broadcast(-kLn2High), x);
  r = fma(n, broadcast(-kLn2Low), r);
  Vector power = broadcast(kInverseFactorial[kTerms]);
  for (int term = kTerms - 1; term >= 0; --term) {
    power = fma(power, r, broadcast(kInverseFactorial[term]));
  }
  // 2ⁿ in two factors, since n may be out of a single one's range.
  const BitsVector whole = (BitsVector)shifted - (BitsVector)broadcast(kRound);
  const BitsVector half = whole >> 1;
  const Vector factor1 = (Vector)((half + kExponentBias) << kMantissaBits);
  const Vector factor2 = (Vector)((whole - half + kExponentBias) << kMantissaBits);
  return power * factor1 * factor2;
}

static inline Lanes exp(const Lanes& x) {
  Lanes r;
  for (Index i = 0; i < kParts; ++i) r.part[i] = exp(x.part[i]);
  return r;
}

}  // namespace attn::ATTENTION_ISA_NAME
