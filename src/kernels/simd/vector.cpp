// Elementwise arithmetic, dropout and Adam, kLanes numbers at a time.
#include <type_traits>

#include "kernels/kernels.h"
#include "kernels/simd/exp.h"
#include "kernels/simd/lanes.h"
#include "kernels/simd/random_words.h"

namespace attn::ATTENTION_ISA_NAME {

void vector_add(Index n, const Real* x, Real* y) {
  for (Index i = 0; i < n; i += kLanes) {
    store_lanes(y + i, load_lanes(y + i, n - i) + load_lanes(x + i, n - i), n - i);
  }
}

void vector_axpy(Index n, Real a, const Real* x, Real* y) {
  for (Index i = 0; i < n; i += kLanes) {
    store_lanes(y + i, fma(lanes(a), load_lanes(x + i, n - i), load_lanes(y + i, n - i)), n - i);
  }
}

void vector_multiply_add(Index n, const Real* a, const Real* x, Real* y) {
  for (Index i = 0; i < n; i += kLanes) {
    store_lanes(y + i,
                fma(load_lanes(a + i, n - i), load_lanes(x + i, n - i), load_lanes(y + i, n - i)),
                n - i);
  }
}

void vector_scaled_copy(Index n, Real a, const Real* x, Real* y) {
  for (Index i = 0; i < n; i += kLanes) {
    store_lanes(y + i, lanes(a) * load_lanes(x + i, n - i), n - i);
  }
}

void vector_exp(Index n, const Real* x, Real* y) {
  for (Index i = 0; i < n; i += kLanes) store_lanes(y + i, exp(load_lanes(x + i, n - i)), n - i);
}

void vector_relu_backward(Index n, const Real* h, Real* dh) {
  for (Index i = 0; i < n; ++i) dh[i] = h[i] > 0 ? dh[i] : 0;
}

double vector_sum_of_squares(Index n, const Real* x) {
  double partial[kLanes] = {};
  for (Index i = 0; i < n; i += kLanes) {
    const Index count = n - i < kLanes ? n - i : kLanes;
    for (Index j = 0; j < count; ++j) {
      const double number = static_cast<double>(x[i + j]);
      partial[j] += number * number;
    }
  }
  for (Index half = kLanes / 2; half > 0; half /= 2) {
    for (Index i = 0; i < half; ++i) partial[i] += partial[i + half];
  }
  return partial[0];
}

// A random word for each number of a vector, and as wide as those are.
typedef std::uint32_t WordOfEach __attribute__((vector_size(4 * kWidth)));
typedef std::make_unsigned_t<RealBits> WideWords __attribute__((vector_size(kVectorBytes)));

void vector_dropout(Index n, double p, std::uint64_t seed, std::uint64_t stream,
                    std::uint64_t first, Real* x) {
  if (n <= 0 || p <= 0) return;
  // A word is dropped if it is at most `limit`, the largest whole number below p · 2³².
  const std::uint64_t above = static_cast<std::uint64_t>(__builtin_ceil(p * 4294967296.0));
  const std::uint32_t limit = static_cast<std::uint32_t>(above - 1);
  const Real scale = static_cast<Real>(1 / (1 - p));

  // x begins inside a block if `first` is not a multiple of 4, so words are ahead of it.
  Index begin = static_cast<Index>(first % 4);
  std::uint64_t block = first / 4;
  std::uint32_t words[kWords + kWidth] = {};
  while (n > 0) {
    random_words(seed, stream, block, words);
    const Index count = n < kWords - begin ? n : kWords - begin;
    for (Index i = 0; i < count; i += kWidth) {
      WordOfEach word;
      __builtin_memcpy(&word, words + begin + i, sizeof word);
      const auto keep = __builtin_convertvector(word, WideWords) > limit;
      const Index left = count - i;
      const Vector number = left >= kWidth ? load(x + i) : load_part(x + i, left);
      const Vector result = keep ? number * scale : Vector{};
      if (left >= kWidth) {
        store(x + i, result);
      } else {
        store_part(x + i, result, left);
      }
    }
    n -= count;
    x += count;
    block += kBlocks;
    begin = 0;
  }
}

// What is below the smallest normal number becomes 0. Rounding to nearest would keep such a number
// for ever, and arithmetic with it can take a hundred cycles. A NaN stays.
static inline Lanes without_denormals(const Lanes& x) {
#ifdef ATTENTION_DOUBLE
  constexpr Real kSmallest = __DBL_MIN__;
#else
  constexpr Real kSmallest = __FLT_MIN__;
#endif
  return lanes_of([&](Index i) {
    const Vector v = x.part[i];
    return ((v < kSmallest) & (v > -kSmallest)) ? Vector{} : v;
  });
}

void vector_adam(Index n, const AdamStep& step, const Real* g, Real* w, Real* m, Real* v) {
  const Lanes beta1 = lanes(step.beta1), rest1 = lanes(1 - step.beta1);
  const Lanes beta2 = lanes(step.beta2), rest2 = lanes(1 - step.beta2);
  for (Index i = 0; i < n; i += kLanes) {
    const Index left = n - i;
    const Lanes gradient = load_lanes(g + i, left) * lanes(step.gradient_scale);
    const Lanes new_m = without_denormals(beta1 * load_lanes(m + i, left) + rest1 * gradient);
    const Lanes new_v =
        without_denormals(beta2 * load_lanes(v + i, left) + rest2 * (gradient * gradient));
    const Lanes root = square_root(new_v * lanes(step.correction2)) + lanes(step.epsilon);
    const Lanes change = lanes(step.rate) * (new_m * lanes(step.correction1)) / root;
    store_lanes(m + i, new_m, left);
    store_lanes(v + i, new_v, left);
    store_lanes(w + i, load_lanes(w + i, left) - change, left);
  }
}

}  // namespace attn::ATTENTION_ISA_NAME
