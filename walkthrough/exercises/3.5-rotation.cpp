// PE(pos + k) from PE(pos)                                                    ★★ 20 min, §3.5
//
//     PE(pos, 2i) = sin(pos · w_i)      PE(pos, 2i+1) = cos(pos · w_i)      w_i = 10000^(−2i/d)
//
// Return the matrix R_k [d, d] with PE(pos + k) = PE(pos) R_k for every pos. PE(pos) is a row
// vector, hence on the left; d is even. The matrix must not depend on pos.
//
// Hint. sin(a + b) = sin a cos b + cos a sin b; cos(a + b) = cos a cos b − sin a sin b. Numbers 2i
// and 2i + 1 of PE(pos + k) depend only on numbers 2i and 2i + 1 of PE(pos).
#include "support/exercise.h"

Tensor rotation(Index k, Index d) {
  not_yet();
}
