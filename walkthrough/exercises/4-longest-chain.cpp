// The steps that must wait for each other                                      ★★ 20 min, §4
//
// A layer computes products 0, 1, …, each from the results of some earlier ones:
// needs[i] = {2, 3} says that product i has a factor that comes from product 2 and one that comes
// from product 3; it may need them by way of others, and others may be in the list or not. With as
// many processors as you like, products that do not need each other are computed at the same time.
// How many rounds does it take? That is Table 1's column "sequential operations": the length of the
// longest chain in which each product needs the one before. Without any product it is 0.
#include "support/exercise.h"

Index longest_chain(const std::vector<std::vector<Index>>& needs) {
  not_yet();
}
