// The steps that must wait for each other                                      ★★ 20 min, §4
//
// A layer computes products 0, 1, …, each from the results of some earlier ones:
// needs[i] = {2, 3} says that product i has a factor that comes from product 2 and one that comes
// from product 3. The numbers in needs[i] are below i, in any order, and may repeat; product 3 may
// itself need product 2. With as many processors as you like, each product is computed as soon as
// all that it needs is there, at the same time as others that are ready. How many rounds does it
// take? That is Table 1's column "sequential operations": the length of the longest chain in which
// each product needs the one before. Without any product it is 0.
#include "support/exercise.h"

Index longest_chain(const std::vector<std::vector<Index>>& needs) {
  not_yet();
}
