// What chapter 3.2.1 says of random queries: how much gradient reaches them through the softmax,
// with the division by √d_k and without.
//
//     example-3.2.1-random            |dq|: root of the mean square, mean and median over the draws
//     example-3.2.1-random values     NAME.D_K.WHAT = VALUE, NAME being divided or undivided
#include <cstdio>
#include <string>

#include "examples/random_queries.h"

using namespace attn::walkthrough;

int main(int argc, char** argv) {
  const bool values = argc > 1 && std::string(argv[1]) == "values";
  if (!values) {
    std::printf("            undivided                    divided\n");
    std::printf(" d_k       rms      mean    median       rms      mean    median\n");
  }
  for (const int d_k : {4, 16, 64, 256, 512}) {
    const RandomQueries found[] = {random_queries(d_k, false), random_queries(d_k, true)};
    if (!values) std::printf("%4d", d_k);
    for (const bool divided : {false, true}) {
      const RandomQueries& x = found[divided];
      if (!values) {
        std::printf("%10.2f%10.2f%10.*f", x.rms, x.mean, x.median < 0.005 ? 4 : 2, x.median);
        continue;
      }
      const std::string name = (divided ? "divided." : "undivided.") + std::to_string(d_k);
      for (const auto& [what, value] :
           {std::pair("rms", x.rms), std::pair("mean", x.mean), std::pair("median", x.median)}) {
        std::printf("%s.%s = %.5g\n", name.c_str(), what, value);
      }
    }
    if (!values) std::printf("\n");
  }
  return 0;
}
