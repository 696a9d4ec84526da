// The running example of chapters 3.2 and 3.2.1: queries, keys and values of the five words of
// "Jane visite l'Afrique en septembre", small enough for a pencil.
#pragma once

#include <initializer_list>

#include "tensor/tensor.h"

namespace attn::walkthrough {

constexpr Index kFiveWords = 5;
inline const char* const kWords[] = {"Jane", "visite", "l'Afrique", "en", "septembre"};

// A row for each word.
inline Tensor matrix_of_words(Index cols, std::initializer_list<int> numbers) {
  Tensor x = Tensor::zeros({kFiveWords, cols});
  Index i = 0;
  for (const int number : numbers) x[i++] = static_cast<Real>(number);
  return x;
}

inline Tensor example_Q() {
  return matrix_of_words(4, {2, 0, 0, 1, 1, 1, 0, 0, 0, 2, 1, 0, 0, 0, 1, 1, 0, 1, 0, 2});
}
inline Tensor example_K() {
  return matrix_of_words(4, {1, 0, 0, 1, 0, 2, 0, 1, 1, 0, 2, 0, 0, 0, 0, 2, 0, 1, 0, 1});
}
inline Tensor example_V() {
  return matrix_of_words(3, {1, 0, 0, 0, 4, 0, 2, 0, 1, 0, 0, 1, 0, 1, 3});
}

}  // namespace attn::walkthrough
