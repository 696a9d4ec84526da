#include "support/watched_product.h"

static const exercises::Exercise b_blocked("B-blocked", [](exercises::Checks& check) {
  using namespace exercises;
  const auto in_tiles_of = [](Index tile) {
    return [tile](WatchedMatrix& A, WatchedMatrix& B, WatchedMatrix& C) {
      multiply_blocked(A, B, C, tile);
    };
  };
  check.claim("sizes that are multiples of the tile: 4, 8, 12 in tiles of 4");
  const WatchedProduct even(4, 8, 12, in_tiles_of(4));
  check.tensor("C", even.got, even.want, "Do all tiles along k add to the tile of C?");
  check.claim("sizes that are not: 7, 5, 11 and 11, 5, 7 in tiles of 4");
  const WatchedProduct odd(7, 5, 11, in_tiles_of(4));
  check.tensor("C", odd.got, odd.want, "The last tile ends where the matrix ends.");
  const WatchedProduct tall(11, 5, 7, in_tiles_of(4));
  check.tensor("C", tall.got, tall.want, "Are there more rows than columns?");
  check.claim("a tile larger than everything");
  const WatchedProduct one(3, 2, 4, in_tiles_of(64));
  check.tensor("C", one.got, one.want, "");
  check.claim("32 × 32 matrices in tiles of 8, and fewer than 1500 misses");
  const WatchedProduct large(32, 32, 32, in_tiles_of(8));
  check.tensor("C", large.got, large.want, "");
  check.that(large.misses < 1500,
             std::to_string(large.misses) +
                 " misses. Do the inner loops stay within one tile of A, one of B and one of C?");
  check.claim("with one tile of 32, it misses as often as without tiles, unless it copies them");
  const WatchedProduct whole(32, 32, 32, in_tiles_of(32));
  check.that(whole.misses > 3000 || whole.misses < 500,
             std::to_string(whole.misses) + " misses. Do the outer loops step by `tile`?");
});
