// One step of beam search                                                    ★★ 25 min, §6.1
//
// live[h] is the beginning of an output, and log_p[h] = ln P of its tokens. Row h of next
// [live, V] has ln P of each token that may come after it. Of all continuations of all beginnings,
// the `beam` best by ln P are kept (fewer if there are fewer); of equal ones, that of the earlier
// beginning, and of one beginning's, the smaller token.
//
// A kept one that ends in kEos is finished: it joins `finished`, without kEos, with the score
//
//     ln P/lp        lp = ((5 + |Y|)/6)^α, where |Y| counts kEos
//
// The others become `live`, best first. Return for each new live beginning the number of the old
// one that it continues: by these the model's rows are reordered.
#include <tuple>

#include "support/exercise.h"
#include "text/vocabulary.h"

using attn::kEos;

struct Beginning {
  std::vector<int> tokens;  // without <bos>
  double log_p;
};
struct FinishedOutput {
  std::vector<int> tokens;  // without <bos> and <eos>
  double score;
};

std::vector<Index> beam_step(Index beam, double alpha, const Tensor& next,
                             std::vector<Beginning>& live, std::vector<FinishedOutput>& finished) {
  not_yet();
}
