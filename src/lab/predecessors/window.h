// Which positions of a sentence an output sees, in convolutions and restricted attention: a window
// of k positions, `dilation` apart, around the output's own or up to it.
//
//     k = 3                  centred               causal
//     dilation 1           t−1  t  t+1          t−2  t−1  t
//     dilation 2           t−2  t  t+2          t−4  t−2  t
#pragma once

#include "base/check.h"
#include "base/parallel.h"
#include "tensor/packed.h"

namespace attn {

struct Window {
  Index width = 1;      // k; odd if the window is centred
  bool causal = false;  // as a decoder needs it
  Index dilation = 1;

  // Position j of the window, relative to the output's own.
  Index offset(Index j) const { return (j - (causal ? width - 1 : width / 2)) * dilation; }
  // How far back it reaches: what decoding has to keep.
  Index reach() const { return -offset(0); }
};

// Throws Error for a window that is empty, or that is to be centred and has no centre.
inline void check(const Window& window) {
  ATTN_CHECK(window.width >= 1 && window.dilation >= 1,
             "a window has at least 1 position, at least 1 apart, not ", window.width,
             " positions ", window.dilation, " apart");
  ATTN_CHECK(window.causal || window.width % 2 == 1, "a window of ", window.width,
             " positions has no centre: their number must be odd");
}

// Runs body(t, j, s) for every output t of the sentence [begin, end), in order, and every position
// s = t + offset(j) of its window that is inside the sentence.
template <class Body>
void for_each_seen(const Window& window, Index begin, Index end, const Body& body) {
  for (Index t = begin; t < end; ++t) {
    for (Index j = 0; j < window.width; ++j) {
      const Index s = t + window.offset(j);
      if (s >= begin && s < end) body(t, j, s);
    }
  }
}

// The same for every sentence, on all threads.
template <class Body>
void for_each_seen(const Window& window, const Offsets& offsets, const Body& body) {
  parallel_for(offsets.size() - 1,
               [&](Index b) { for_each_seen(window, offsets[b], offsets[b + 1], body); });
}

}  // namespace attn
