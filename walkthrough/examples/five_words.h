// The running example of chapters 3.2 and 3.2.1: queries, keys and values of the five words of
// "Jane visite l'Afrique en septembre", small enough for a pencil.
#pragma once

#include "support/random_tensors.h"

namespace attn::walkthrough {

constexpr Index kFiveWords = 5;
inline const char* const kWords[] = {"Jane", "visite", "l'Afrique", "en", "septembre"};

// A row for each word.
inline Tensor example_Q() {
  return test::tensor_of({5, 4}, {2, 0, 0, 1, 1, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 1, 0, 2});
}
inline Tensor example_K() {
  return test::tensor_of({5, 4}, {1, 0, 0, 1, 0, 2, 0, 1, 1, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 1});
}
inline Tensor example_V() {
  return test::tensor_of({5, 3}, {1, 0, 0, 0, 4, 0, 2, 0, 1, 0, 0, 1, 0, 1, 3});
}

}  // namespace attn::walkthrough
