// The steps that must wait for each other                                      ★★ 20 min, §4
//
// A layer computes products 0, 1, …, each from the results of some earlier ones:
// needs[i] = {2, 3} says that one factor of product i comes from product 2 and another from product
// 3. The numbers in needs[i] are below i, in any order, and may repeat; product 3 may itself need
// product 2. With unlimited processors, each product is computed as soon as its factors are ready,
// at the same time as any others. How many rounds does the layer take? Table 1 calls that number
// "sequential operations": the length of the longest chain in which each product needs the one
// before. Without any products it is 0.
#include "support/exercise.h"

Index longest_chain(const std::vector<std::vector<Index>>& needs) {
  not_yet();
}
