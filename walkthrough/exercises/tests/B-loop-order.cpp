#include "support/watched_product.h"

static const exercises::Exercise b_loop_order("B-loop-order", [](exercises::Checks& check) {
  using namespace exercises;
  check.claim("C += A B for sizes 3, 4, 5");
  const WatchedProduct small(3, 4, 5, multiply_reordered);
  check.tensor("C", small.got, small.want,
               "C started as ones: add to it. Are m, n and k each where they belong?");
  check.claim("32 × 32 matrices, and fewer than 5000 misses");
  const WatchedProduct large(32, 32, 32, multiply_reordered);
  check.tensor("C", large.got, large.want, "");
  check.that(large.misses < 5000, std::to_string(large.misses) +
                                      " misses. Which index does the innermost loop change, and "
                                      "does it walk down a column of A, B or C? If not, does the "
                                      "middle one?");
});
