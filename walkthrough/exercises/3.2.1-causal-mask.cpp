// The causal mask                                                            ★★ 20 min, §3.2.1
//
// m queries look at n keys. The queries are the last m positions; decoding may have one query and
// many keys. A query may look at its own position and all before it.
//
//     m = n = 3:   x . .        m = 2, n = 4:   x x x .        m = 3, n = 2:   . .
//                  x x .                        x x x x                        x .
//                  x x x                                                       x x
//
// Return P [m, n]: the softmax of S over the legal keys of each row, 0 for all others, and a row of
// zeros for a query without a legal key. Whatever S holds behind the mask must not matter, not even
// NaN or ∞: that memory may never have been written. (Scores are small here: neither scale them nor
// subtract the largest.)
#include "support/exercise.h"

Tensor causal_weights(const Tensor& S) {
  not_yet();
}
