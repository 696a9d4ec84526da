// Softmax by rows, with a mask (§3.2.1, §3.2.3). The paper sets illegal scores to −∞ inside the
// softmax. e^−∞ is 0, so an illegal key has weight 0 and takes no part in the sum: here the sum
// simply runs over the legal keys. A row without legal keys becomes zeros, where −∞ − (−∞) would be
// NaN.
#pragma once

#include <algorithm>

#include "tensor/matrix_view.h"

namespace attn {

// Which keys a query may look at.
//   none: all of them.
//   causal: those up to its own position. If there are m queries and n ≥ m keys, the queries are
//   the last m positions, as when decoding goes on from keys that are already there. If m > n, the
//   first m − n queries come before every key and have no legal one.
enum class Mask { none, causal };

// Keys [0, legal_keys(…)) are legal for query i of m, with n keys. Where m = n, the legal ones of a
// causal mask are the lower triangle with its diagonal: query i sees keys 0 to i.
inline Index legal_keys(Mask mask, Index i, Index m, Index n) {
  return mask == Mask::causal ? std::max<Index>(0, n - m + i + 1) : n;
}

// P = softmax(scale · S) over the legal keys, by rows and in place: S [m, n] becomes P.
void softmax(const MatrixView& S, Real scale, Mask mask);
// dS = scale · P ⊙ (dP − rowsum(P ⊙ dP)), in place: dP [m, n] becomes dS. Illegal entries become 0.
void softmax_backward(const ConstMatrixView& P, Real scale, Mask mask, const MatrixView& dP);

}  // namespace attn
